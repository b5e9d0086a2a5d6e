/** The checker of `npm run soak` finds what it is there to find. */
import { expect, it } from "vitest";
import { checkHistory } from "../soak/check-history.ts";
import type { Attempt, Sent, Standing } from "../soak/history.ts";

const at = (sentAt: number, answeredAt: number, status = 200, patched = ["production"]): Attempt => ({
  ...{ sentAt, answeredAt, status },
  patched: status < 300 ? patched : [],
});

function patch(id: string, attempts: Attempt[], rest: Partial<Sent> = {}): Sent {
  const sent = { id, feature: "f", environments: ["production"], kind: "patch" as const };
  return { ...sent, isHarmless: false, attempts, ...rest };
}

function tagging(kind: "add tag" | "remove tag", attempts: Attempt[], rest: Partial<Sent> = {}): Sent {
  return { ...patch(`${kind} t`, attempts), environments: [], kind, tag: "t", ...rest };
}

function standing(
  ids: string[],
  rest: { revision?: number; weights?: number[]; tags?: string[] } = {},
): Standing[] {
  const { revision = 1 + ids.length, weights = [400, 600], tags = [] } = rest;
  return [{ feature: "f", tags, environments: { production: { ids, revision, weights } } }];
}

const a = patch("a", [at(0, 10)]);
const b = patch("b", [at(20, 30)]);
const refused = patch("a", [at(0, 10, 412)]);
const unacknowledged = patch("a", [at(0, 10, 503)]);
const unauthenticated = patch("a", [at(0, 10, 401)]);
const dryRun = patch("a", [at(0, 10)], { isHarmless: true });
const unknownTag = tagging("add tag", [at(0, 10, 503)]);
const addedTag = tagging("add tag", [at(0, 10, 201)]);
const removedTag = tagging("remove tag", [at(20, 30, 201)]);
const withTag = standing([], { tags: ["t"] });

it.each<[string, Sent[], Standing[]]>([
  ["each acknowledged patch is there, in the order of the answers", [a, b], standing(["a", "b"])],
  ["those that overlap are in any order", [a, patch("b", [at(5, 30)])], standing(["b", "a"])],
  ["one that was not acknowledged is there", [unacknowledged], standing(["a"])],
  ["one that was not acknowledged is not there", [unacknowledged], standing([])],
  ["one that was repeated is there once", [patch("a", [at(0, 10), at(20, 30)])], standing(["a"])],
  ["a dry run left nothing", [dryRun], standing([])],
  ["a revoked key was refused", [{ ...unauthenticated, isHarmless: true }], standing([])],
  ["a tag was added", [addedTag], withTag],
  ["a tag was added and removed", [addedTag, removedTag], standing([])],
  ["a tag of an unknown addition is there after its removal", [unknownTag, removedTag], withTag],
])("a history is well in which %s", (_, sent, standings) => {
  expect(checkHistory(sent, standings)).toEqual([]);
});

it.each<[string, Sent[], Standing[], string]>([
  ["an update is lost", [a, b], standing(["b"]), "a was acknowledged, and is lost"],
  ["one is there twice", [a], standing(["a", "a"]), "a is there 2 times"],
  ["the order of the answers is not kept", [a, b], standing(["b", "a"]), "a comes after b"],
  ["something was never sent", [], standing(["a"]), "a was never sent"],
  ["a dry run was done", [dryRun], standing(["a"]), "left nothing"],
  ["what was refused was done", [refused], standing(["a"]), "was refused"],
  ["one was done where it was not sent", [{ ...a, environments: [] }], standing(["a"]), "was not for it"],
  ["the service had an error", [patch("a", [at(0, 10, 500)])], standing([]), "a received 500"],
  ["a valid key was refused", [unauthenticated], standing([]), "a received 401"],
  ["a revision is skipped", [a], standing(["a"], { revision: 3 }), "revision 3 after 1 writes"],
  ["weights do not sum to 1000", [a], standing(["a"], { weights: [999] }), "sum to 999"],
  ["a tag is lost", [addedTag], standing([]), "tag t was acknowledged, and is lost"],
  ["a tag was never sent", [], withTag, "tag t was never sent"],
  ["a tag came with a dry run", [{ ...addedTag, isHarmless: true }], withTag, "left nothing"],
  ["a removed tag is back", [addedTag, removedTag], withTag, "its removal was acknowledged"],
])("a history is not well in which %s", (_, sent, standings, fault) => {
  expect(checkHistory(sent, standings)).toEqual([expect.stringContaining(fault)]);
});
