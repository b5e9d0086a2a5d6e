/** The plan of an environment: the hint of what SDKs will not see. */
import { expect, it } from "vitest";
import type { ChangeRequest, Edit } from "../../../lib/features/model.ts";
import { planEnvironment } from "../../../lib/features/plan-change.ts";
import { add, replace } from "../../support/patching.ts";
import { environmentState } from "../../support/seed.ts";

const unseen = { enabled: "SDKs see it on", variants: "SDKs see others" };
const withWeight: Edit = { kind: "patch", patch: [add("/ours", { weight: 1 })], form: "name" };
const withoutHint: Edit = { kind: "patch", patch: [replace("/blue/stickiness", "userId")], form: "name" };
const lost = 'The weight 1 of variant "ours" has no effect';

it.each<[string, Edit, string | undefined]>([
  ["a switch", { kind: "switch", enabled: false }, "SDKs see it on"],
  ["a patch", withoutHint, "SDKs see others"],
  ["a patch that has a hint of its own", withWeight, `SDKs see others. ${lost}`],
  ["a switch that changes nothing", { kind: "switch", enabled: true }, undefined],
])("says of %s what SDKs will not see", (_, edit, hint) => {
  const planned = planEnvironment(requestOf(edit), { state: environmentState({ unseen }) });

  expect(planned.hint?.slice(0, hint?.length)).toBe(hint);
});

it.each([{ kind: "switch", enabled: false }, withoutHint] as const)(
  "has no hint where SDKs see it: $kind",
  (edit) => {
    expect(planEnvironment(requestOf(edit), { state: environmentState() }).hint).toBeUndefined();
  },
);

function requestOf(edit: Edit): ChangeRequest {
  return {
    target: { project: "p", feature: "f" },
    caller: { name: "ci", permissions: [{ permission: "ADMIN" }] },
    stamp: { id: "ours", by: "ci", at: new Date().toISOString(), request: "r" },
    edit,
    preconditions: {},
    strict: false,
  };
}
