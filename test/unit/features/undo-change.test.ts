/** The plan of an undo: where it finds its change, and where the change may be kept no longer. */
import { expect, it } from "vitest";
import type { Change, EnvironmentState } from "../../../lib/features/feature.ts";
import { planUndo } from "../../../lib/features/undo-change.ts";
import { environmentState, variant } from "../../support/seed.ts";

const time = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const wayBack = { variants: [variant("green")] };
const change: Change = { id: "a", revision: 2, by: "ci", at: time(2), wayBack };
const keeps = environmentState({ changes: [change] });
const earlierWrite = { key: "key", change: "undo", revision: 3, at: time(3) };
const mayHaveDropped =
  "It may have dropped this change from its list; undo the change where it is kept, by the route of one environment";

const planIn = (state: EnvironmentState, others: EnvironmentState[]) =>
  planUndo("a")([state, ...others]).plan(state);

it("a change that no environment keeps is not found", () => {
  const expected = 'The change "a" is not among the changes that are kept here';
  expect(() => planUndo("a")([environmentState(), environmentState()])).toThrow(expected);
});

it("a retry of an undo goes on where no environment keeps the change, but in none that may have dropped it", () => {
  const done = environmentState({ earlierWrite });

  expect(planIn(environmentState(), [done]).outcome).toBe("unchanged");
  expect(() => planIn(environmentState({ droppedAt: time(1) }), [done])).toThrow(mayHaveDropped);
});

it("an environment may have dropped a change that is as old as its latest dropped one, or older", () => {
  expect(planIn(environmentState({ droppedAt: time(1) }), [keeps]).outcome).toBe("unchanged");
  for (const day of [2, 3])
    expect(() => planIn(environmentState({ droppedAt: time(day) }), [keeps])).toThrow(mayHaveDropped);
  expect(planIn({ ...keeps, droppedAt: time(3) }, [])).toMatchObject({ outcome: "patched", ...wayBack });
});
