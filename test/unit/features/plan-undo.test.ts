/** The plan of an undo: where it finds its change, and where the change may be kept no longer. */
import { expect, it } from "vitest";
import type { Change, EnvironmentState } from "../../../lib/features/feature.ts";
import { planUndo } from "../../../lib/features/plan-undo.ts";
import { times } from "../../support/patching.ts";
import { environmentState, variant } from "../../support/seed.ts";

const time = (second: number) => new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();
const before = [variant("green")];
const change: Change = { id: "a", by: "ci", at: time(0), revision: 2, wayBack: [["", before]] };
const keeps = environmentState({ changes: [change] });
const stamp = { id: "undo", by: "ci", at: time(99), request: "1" };
const mayHaveDropped =
  "It may have dropped this change from its list; undo the change where it is kept, by the route of one environment";

const planIn = (state: EnvironmentState, others: EnvironmentState[]) =>
  planUndo("a", [state, ...others], stamp)(state);
const untouched = { variants: [variant("blue")] };

it("a change that no environment keeps is not found", () => {
  const expected = 'The change "a" is not among the changes that are kept here';
  expect(() => planUndo("a", [environmentState(), environmentState()], stamp)).toThrow(expected);
});

it("a retry of an undo goes on where no environment keeps the change, but in none that may have dropped it", () => {
  const done = environmentState({ changes: [{ id: "undo", by: "ci", revision: 3, at: time(99) }] });

  expect(planIn(environmentState(), [done])).toMatchObject(untouched);
  expect(() => planIn(environmentState({ droppedUntil: time(-999) }), [done])).toThrow(mayHaveDropped);
});

it("of overlapping attempts the earliest decides what an environment may have dropped", () => {
  const later = environmentState({ changes: [{ ...change, at: time(10) }] });

  expect(() => planIn(environmentState({ droppedUntil: time(-10) }), [later, keeps])).toThrow(mayHaveDropped);
});

it("an environment that keeps the undo of the change, but not the change, has undone it", () => {
  const undone = [{ id: "earlier undo", by: "ci", at: time(50), revision: 3, undoes: "a" }];

  expect(planIn(environmentState({ changes: undone, droppedUntil: time(0) }), [keeps])).toMatchObject(
    untouched,
  );
});

it("a refused undo names ten later changes at most", () => {
  const later = times(12, (index): Change => ({ id: `c${index}`, by: "ci", at: time(9), revision: 3 }));
  const redo: Change = { ...change, undoes: "b" };

  for (const [first, named] of [
    [change, "undo the later changes first: c0 by"],
    [redo, "changed since, by c0 by"],
  ] as const) {
    const undo = () => planIn(environmentState({ changes: [...later, first] }), []);
    expect(undo).toThrow(named);
    expect(undo).toThrow('c9 by "ci"');
    expect(undo).not.toThrow("c10 by");
  }
});

it("an environment may have dropped a change that began up to 15 seconds after its latest dropped one", () => {
  expect(planIn(environmentState({ droppedUntil: time(-15) }), [keeps])).toMatchObject(untouched);
  for (const second of [-14.999, 0, 99]) {
    expect(() => planIn(environmentState({ droppedUntil: time(second) }), [keeps])).toThrow(mayHaveDropped);
  }
  expect(planIn({ ...keeps, droppedUntil: time(99) }, [])).toEqual({ variants: before, undoes: "a" });
});
