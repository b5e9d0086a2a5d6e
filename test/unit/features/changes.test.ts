/** Which changes of an environment are in effect, and which can be undone. */
import { describe, expect, it } from "vitest";
import { isUndoable, isUndone, listChanges } from "../../../lib/features/changes.ts";
import type { Change } from "../../../lib/features/feature.ts";
import { environmentState } from "../../support/seed.ts";

/** Changes oldest first: "a", or "u=a" for u, which undoes a. */
function changes(text: string): Change[] {
  return text
    .split(" ")
    .map((word, index): Change => {
      const [id = "", undoes] = word.split("=");
      return { id, revision: index + 2, by: "ci", at: "2026-01-01T00:00:00.000Z", ...(undoes && { undoes }) };
    })
    .reverse();
}

describe.each([
  ["a", ["a"], []],
  ["a b", ["b"], []],
  ["a b u=b", ["u", "a"], ["b"]],
  ["a b u=b v=a", ["v"], ["a", "b"]],
  ["a b u=b r=u", ["r", "b"], ["u"]],
  ["a b u=b r=u v=b", ["v", "a"], ["b", "u"]],
  ["a u=a c", ["c"], ["a"]],
  ["a u=a c v=c", ["v"], ["a", "c"]],
  // The request of "a" was made again, long after its record had expired.
  ["a u=a a", ["a"], ["a"]],
  ["a u=a a v=a", ["v"], ["a", "a"]],
])("after the changes %s", (text, undoable, undone) => {
  const kept = changes(text);
  const ids = (found: Change[]) => found.map(({ id }) => id).sort();

  it(`${undoable} can be undone`, () => {
    expect(ids(kept.filter((change) => isUndoable(kept, change) && !isUndone(kept, change)))).toEqual(
      [...undoable].sort(),
    );
  });

  it(`${undone.length > 0 ? undone : "nothing"} is undone`, () => {
    expect(ids(kept.filter((change) => isUndone(kept, change)))).toEqual([...undone].sort());
  });
});

it("the changes of several environments are listed newest first, and those of one time by environment", async () => {
  const kept = (...times: number[]) =>
    times.map((at): Change => ({ id: `at ${at}`, revision: 2, by: "ci", at: String(at) }));
  const same: Change = { id: "other", revision: 2, by: "ci", at: "3" };
  const environments = [kept(5, 3, 1), [same, ...kept(2)], kept(4)].map((changes) =>
    environmentState({ changes }),
  );
  const readFeature = async () => ({ name: "f", project: "p", environments });

  const { changes: listed } = await listChanges(
    { readFeature, requireRoomForVariants() {} },
    { project: "p", feature: "f" },
    "name",
  );

  expect(listed.map(({ id }) => id)).toEqual(["at 5", "at 4", "at 3", "other", "at 2", "at 1"]);
});
