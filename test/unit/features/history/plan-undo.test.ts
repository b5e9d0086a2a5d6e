/** The plan of an undo, and what it says where it refuses. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { nextState } from "../../../../lib/features/change/next-state.ts";
import { planUndo, requireChangeToUndo } from "../../../../lib/features/history/plan-undo.ts";
import { isUnderGuard, toTop } from "../../../../lib/features/history/top.ts";
import {
  contentOf,
  type EnvironmentChange,
  type EnvironmentState,
  type Top,
} from "../../../../lib/features/model.ts";
import { environmentState, variant } from "../../../support/seed.ts";

const now = new Date().toISOString();
const first = environmentState();

const changed = (before: EnvironmentState, id: string, at = now): EnvironmentState =>
  nextState(
    before,
    { ...contentOf(before), enabled: true, variants: [variant(id)] },
    { id, by: "ci", at, requestId: "r" },
  );
const undone = (before: EnvironmentState, change: EnvironmentChange, id: string): EnvironmentState =>
  nextState(
    before,
    { ...contentOf(before), ...change.old, undoneChange: change },
    { id, by: "ci", at: now, requestId: "r" },
  );

const a = changed(first, "a");
const b = changed(a, "b");
const lastOf = ({ carried }: EnvironmentState): EnvironmentChange => carried[0] as EnvironmentChange;
const [changeA, changeB] = [lastOf(a), lastOf(b)];

it("restores the variants before the newest change in effect", () => {
  expect(planUndo({ state: b, changeToUndo: { change: changeB } })).toEqual({
    ...contentOf(b),
    variants: a.variants,
    undoneChange: changeB,
  });
  const back = undone(b, changeB, "u");
  expect(planUndo({ state: back, changeToUndo: { change: changeA } })).toEqual({
    ...contentOf(b),
    variants: first.variants,
    undoneChange: changeA,
  });
});

it("changes nothing where the change is undone, or was never made", () => {
  const state = undone(b, changeB, "u");

  expect(planUndo({ state, changeToUndo: { change: changeB, undoneBy: lastOf(state) } })).toEqual({
    ...contentOf(b),
    variants: a.variants,
  });
  expect(planUndo({ state })).toEqual({ ...contentOf(b), variants: a.variants });
});

const undo = undone(b, changeB, "u");
it.each([
  [
    "a later change, and names the newest",
    b,
    { change: changeA },
    "The feature was changed later by b; undo that change first",
  ],
  [
    "an undo, and says how to make the change again",
    undo,
    { change: lastOf(undo) },
    "The change u is an undo and cannot be undone; to make the change b again, send its difference in the list of changes as a patch",
  ],
  [
    "a change that another environment may lack",
    a,
    { change: { ...changeA, at: "2026-01-01T00:00:00Z" } },
    "The change a is more than 29 days old and cannot be undone; send a patch instead",
  ],
  [
    "a later change that cannot be undone, as its first attempt was made too long ago",
    changed(a, "b", "2026-01-01T00:00:00Z"),
    { change: changeA },
    "The feature was changed later by b, which is more than 29 days old and cannot be undone; send a patch instead",
  ],
] as const)("refuses %s", (_, state, changeToUndo, message) => {
  // A text alone would match if nothing but undefined were thrown.
  const refusal = expect.objectContaining({ status: 409, code: "cannot-undo", message });
  expect(() => planUndo({ state, changeToUndo })).toThrow(refusal);
});

it.each([
  [
    "undoes a change that is under the guard",
    "errors",
    { undoneChange: changeB, trippedGuardName: "errors" },
  ],
  ["changes nothing if the change is not under the guard", "latency", { variants: b.variants }],
])("a trip %s", (_, trippedGuardName, expected) => {
  const top = {
    ...toTop(changeB),
    guard: { name: "errors", until: new Date(Date.now() + 60_000).toISOString() },
  };

  const plan = planUndo({ state: { ...b, top }, changeToUndo: { change: changeB } }, trippedGuardName);

  expect(plan).toEqual({ ...contentOf(b), variants: a.variants, ...expected });
});

describe("a change is under its guard", () => {
  const until = Date.parse("2026-05-01T12:00:00Z");
  const top = { id: "a", revision: 1, at: now };
  const guarded = { ...top, guard: { name: "errors", until: new Date(until).toISOString() } };
  afterEach(() => void vi.useRealTimers());

  it.each<[string, Top | null, string, number, boolean]>([
    ["before the time is over", guarded, "errors", until - 1, true],
    ["not once it is over", guarded, "errors", until, false],
    ["not if it is another guard", guarded, "latency", until - 1, false],
    ["not without a guard", top, "errors", until - 1, false],
    ["not if there is none", null, "errors", until - 1, false],
  ])("%s", (_, newest, guard, time, expected) => {
    vi.useFakeTimers({ now: time, toFake: ["Date"] });

    expect(isUnderGuard(newest, guard)).toBe(expected);
  });
});

const undoOfA = { kind: "undo", changeId: "a", form: "index" } as const;

it("a change that no environment has is not found, except by a retry of its undo", () => {
  const lacking = { state: environmentState({ environment: "production" }) };
  const notFound = (where: string) => ({
    status: 404,
    message: `There is no change "a" in ${where} in the last 30 days; the list of changes has the ids`,
  });
  expect(() => requireChangeToUndo(undoOfA, [lacking])).toThrow(
    expect.objectContaining(notFound('environment "production"')),
  );
  // While a feature is being deleted, no environment of it may be found.
  for (const environments of [[lacking, { state: first }], []]) {
    expect(() => requireChangeToUndo(undoOfA, environments)).toThrow(
      expect.objectContaining(notFound("any environment")),
    );
  }
  expect(() =>
    requireChangeToUndo(undoOfA, [{ state: first }, { state: undo, ownChange: changeA }]),
  ).not.toThrow();
});
