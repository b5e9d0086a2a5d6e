/** The list of changes: which are in effect, which can be undone, which stay, and in which order they are listed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addChange,
  changesInEffect,
  isUndoable,
  listedChanges,
  shortened,
  undoneBy,
} from "../../../lib/features/changes.ts";
import type { Change } from "../../../lib/features/feature.ts";
import { listChanges } from "../../../lib/features/list-changes.ts";
import { times } from "../../support/patching.ts";
import { itProp } from "../../support/property.ts";
import { environmentState } from "../../support/seed.ts";

/** Changes oldest first: "a", or "u=a" for u, which undoes a. */
function changes(text: string): Change[] {
  return text
    .split(" ")
    .map((word): Change => {
      const [id = "", undoes] = word.split("=");
      return { id, by: "ci", at: "2026-01-01T00:00:00.000Z", revision: 1, ...(undoes && { undoes }) };
    })
    .reverse();
}

it.each([
  ["a", "a", ""],
  ["a b", "b", ""],
  ["a b u=b", "a u", "b"],
  ["a b u=b v=a", "v", "a b"],
  ["a b u=b r=u", "b r", "u"],
  ["a b u=b r=u v=b", "a v", "b u"],
  ["a u=a c", "c", "a"],
  ["a u=a c v=c", "v", "a c"],
])("after the changes %s those that can be undone are %s, and undone are %s", (text, undoable, undone) => {
  const kept = changes(text);
  const isUndone = (change: Change) => undoneBy(kept, change) !== undefined;
  const can = kept.filter((change) => isUndoable(kept, change) && !isUndone(change));

  expect([ids(can).sort().join(" "), ids(kept.filter(isUndone)).sort().join(" ")]).toEqual([
    undoable,
    undone,
  ]);
});

const hour = 3_600_000;
const start = Date.now() - hour;
const at = (minute: number) => new Date(start + minute * 60_000).toISOString();
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString();
const change = (minute: number, length = 0): Change => ({
  ...{ id: `c${minute}`, by: "ci", at: at(minute), revision: minute },
  wayBack: [["/blue/stickiness", "s".repeat(length)]],
});
const keyed = (minute: number, rest: Partial<Change> = {}): Change => ({
  ...{ id: `k${minute}`, by: "ci", revision: minute, at: at(minute), key: `key ${minute}` },
  ...rest,
});
const ids = (changes: readonly { id: string }[]) => changes.map(({ id }) => id);
const list = (changes: Change[], droppedUntil?: string) => ({ changes, droppedUntil });
const hasWayBack = (changes: readonly Change[]) => changes.map(({ wayBack }) => wayBack !== undefined);

describe("an environment keeps", () => {
  it("the ten newest changes with their ways back, and the latest time of those it has dropped", () => {
    const older = times(10, (index) => change(20 - index, 190));

    const { changes, droppedUntil } = addChange(list(older, at(0)), change(21));

    expect([ids(changes), droppedUntil]).toEqual([times(10, (index) => `c${21 - index}`), at(11)]);
    expect(hasWayBack(changes)).toEqual(times(10, () => true));
    expect(addChange(list([], at(5)), change(6)).droppedUntil).toBe(at(5));
  });

  it("ways back of 32 KiB together, and none that is older than one that did not fit", () => {
    const { changes } = addChange(
      list([change(4, 20_000), change(3, 20_000), change(2), change(1)]),
      change(5),
    );

    expect(hasWayBack(changes)).toEqual([true, true, false, false, false]);
  });

  it("ways back of exactly 32 KiB together", () => {
    const empty = JSON.stringify(change(1).wayBack).length;
    const [half, more] = [16_384 - empty, 16_385 - empty];

    expect(hasWayBack(addChange(list([change(1, half)]), change(2, half)).changes)).toEqual([true, true]);
    expect(hasWayBack(addChange(list([change(1, half)]), change(2, more)).changes)).toEqual([true, false]);
  });

  it("an undo without what it undid", () => {
    const undo = { ...change(1), undoes: "dropped" };

    expect(addChange(list([]), undo).changes).toEqual([undo]);
  });

  it("the way back of the newest whatever its size", () => {
    expect(hasWayBack(addChange(list([change(1)]), change(2, 40_000)).changes)).toEqual([true, false]);
  });

  it("as many besides as can be retried, without their ways back and reasons", () => {
    const older = [
      ...times(30, (index) => keyed(60 - index, { reason: "why", wayBack: [] })),
      ...times(30, (index) => change(30 - index)),
    ];

    const { changes } = addChange(list(older), change(61));

    expect(ids(changes)).toEqual(ids([change(61), ...older.slice(0, 30)]));
    expect(changes.slice(10).some(({ wayBack, reason }) => wayBack ?? reason)).toBe(false);
  });

  it("a change with a key for 25 hours after its own write, also where a retry made it", () => {
    const newer = times(10, (index) => change(60 - index));
    const [fresh, retried] = [keyed(3, { at: ago(24.9) }), keyed(2, { at: ago(50), retriedAt: ago(1) })];
    const expired = keyed(1, { at: ago(25.1) });

    const { changes, droppedUntil } = addChange(list([...newer, fresh, retried, expired]), change(61));

    expect(ids(changes.slice(10))).toEqual(["k3", "k2"]);
    expect(droppedUntil).toBe(newer[9]?.at);
  });

  it("as the time of what it dropped none that is later than now", () => {
    const future = new Date(Date.now() + hour).toISOString();
    const older = [...times(9, (index) => change(20 - index)), { ...change(1), at: future }];

    const { droppedUntil = "" } = addChange(list(older), change(21));

    expect(Math.abs(Date.parse(droppedUntil) - Date.now())).toBeLessThan(1000);
  });
});

describe("beyond the ten newest an environment keeps", () => {
  const undoing = (minute: number, undoes: Change): Change => ({ ...change(minute), undoes: undoes.id });
  const newer = times(10, (index) => change(60 - index));
  const [made, undo, redo] = [keyed(1), undoing(2, keyed(1)), undoing(3, change(2))];

  it.each([
    ["the undo in effect of a change that can be retried", [undo, made], [undo, made], undo.id],
    ["neither an undo that was undone, nor the undo of it", [redo, undo, made], [made], undefined],
    ["the first of three undos", [undoing(4, redo), redo, undo, made], [undo, made], undo.id],
    ["no undo of a change that it drops", [undoing(6, change(5)), change(5)], [], undefined],
  ])("%s", (_, older, expected, undone) => {
    const { changes } = addChange(list([...newer, ...older]), change(61));

    expect(ids(changes.slice(10))).toEqual(ids(expected));
    expect(undoneBy(changes, changes.at(-1) ?? made)).toBe(undone);
  });
});

it("a chain of undos of undos stays, as the newest of them can be undone, until another change follows", () => {
  const made = keyed(0);
  let changes: readonly Change[] = [made];
  for (let undos = 1; undos <= 30; undos++) {
    const [newest = made] = changes;
    changes = addChange({ changes }, { ...change(undos), undoes: newest.id }).changes;
    expect(undoneBy(changes, made) !== undefined).toBe(undos % 2 === 1);
  }

  changes = addChange({ changes }, change(31)).changes;

  expect([changes.length, undoneBy(changes, made)]).toEqual([21, undefined]);
});

const step = fc.record({
  act: fc.constantFrom("change", "undo the newest in effect", "undo the newest"),
  isKeyed: fc.boolean(),
  count: fc.constantFrom(1, 1, 1, 2, 24, 25),
});

itProp([fc.array(step, { maxLength: 8 })])(
  "whether a change is undone, and can be undone, is the same as if nothing had been dropped",
  (steps) => {
    let whole: readonly Change[] = [];
    let kept: readonly Change[] = [];
    for (const { act, isKeyed } of steps.flatMap((one) => times(one.count, () => one))) {
      const of = act === "undo the newest" ? whole[0] : changesInEffect(whole)[0];
      const key = isKeyed && { key: `key ${whole.length}` };
      const newest = { ...change(whole.length), ...key, ...(act !== "change" && of && { undoes: of.id }) };
      [whole, kept] = [[newest, ...whole], addChange({ changes: kept }, newest).changes];
    }

    for (const one of listedChanges(kept).concat(whole.filter(({ key }) => key !== undefined))) {
      const found = kept.find(({ id }) => id === one.id);
      expect(found).toBeDefined();
      expect(undoneBy(kept, one)).toBe(undoneBy(whole, one));
      if (found?.wayBack) expect(isUndoable(kept, found)).toBe(isUndoable(whole, one));
    }
  },
);

it("an undo of a change that was dropped does not undo what its idempotency key makes anew", () => {
  const [made, again] = [keyed(1, { at: ago(26) }), keyed(1)];
  const older = [...times(10, (index) => change(60 - index)), keyed(2, { undoes: made.id }), made];

  const { changes } = addChange(addChange(list(older), change(61)), again);

  expect(ids(changes)).toEqual(ids([again, change(61), ...older.slice(0, 8), keyed(2)]));
  expect(undoneBy(changes, again)).toBeUndefined();
});

it("a chain of undos of undos does not grow the list where no change of it can be retried", () => {
  // One below it that can be retried does not matter.
  let changes: readonly Change[] = [change(0), keyed(0)];
  for (let undos = 1; undos <= 60; undos++) {
    changes = addChange({ changes }, { ...change(undos), undoes: changes[0]?.id }).changes;
  }

  expect(changes).toHaveLength(21);
});

it("a chain of undos of undos stays also above an undo of a change that is not next to it", () => {
  const made = keyed(0);
  const [undo, between] = [
    { ...change(3), undoes: made.id },
    { ...change(2), undoes: keyed(1).id },
  ];
  let changes: readonly Change[] = [undo, between, keyed(1), made];
  for (let undos = 4; undos <= 40; undos++) {
    changes = addChange({ changes }, { ...change(undos), undoes: changes[0]?.id }).changes;
    expect(undoneBy(changes, made) !== undefined).toBe(undos % 2 === 1);
  }
});

it("the list does not grow while one change is undone and made again and again", () => {
  const made = keyed(0);
  let changes: readonly Change[] = [made];
  for (let undos = 1; undos <= 60; undos++) {
    const undoes = undos % 2 === 1 ? made.id : changes[0]?.id;
    changes = addChange({ changes }, { ...change(undos), undoes }).changes;
    expect(undoneBy(changes, made) !== undefined).toBe(undos % 2 === 1);
  }

  expect(changes).toHaveLength(21);
});

it("where this clock is slow, what is dropped keeps its time up to the latest of what stays", () => {
  const ahead = (minutes: number) => ({
    ...change(minutes),
    at: new Date(Date.now() + minutes * 60_000).toISOString(),
  });
  const older = times(10, (index) => ahead(10 - index));

  expect(addChange(list(older), change(11)).droppedUntil).toBe(older[9]?.at);
});

it("beyond the listed changes at most 64 bytes of a name are kept", () => {
  const older = [...times(10, (index) => change(60 - index)), keyed(1, { by: "ü".repeat(1000) })];

  const { by = "" } = addChange(list(older), change(61)).changes[10] ?? {};

  expect([by.slice(0, 2), Buffer.byteLength(by) <= 64]).toEqual(["üü", true]);
  expect(shortened("b".repeat(64))).toBe("b".repeat(64));
});

describe("the changes of several environments are listed", () => {
  const changeAt = (second: number, id = `at ${second}`): Change => ({
    ...{ id, by: "ci", revision: 1 },
    at: new Date(second * 1000).toISOString(),
  });
  const listed = (...environments: Change[][]) =>
    ids(
      listChanges(
        environments.map((changes) => environmentState({ changes })),
        "name",
      ).changes,
    );

  it("newest first, and those of one time by environment", () => {
    const [first, ...others] = [
      [changeAt(5), changeAt(3), changeAt(1)],
      [changeAt(3, "other"), changeAt(2)],
      [changeAt(4)],
    ];

    expect(listed(first ?? [], ...others)).toEqual(["at 5", "at 4", "at 3", "other", "at 2", "at 1"]);
  });

  it("in the order of the writes of each, whatever their times", () => {
    expect(listed([changeAt(1), changeAt(9)], [changeAt(5)])).toEqual(["at 5", "at 1", "at 9"]);
  });

  it("in the order of the writes of each, also where a later one is the newest of another", () => {
    expect(listed([changeAt(1), changeAt(9)], [changeAt(9)])).toEqual(["at 1", "at 9"]);
  });

  it("once each, if two reached two environments in different orders", () => {
    expect(listed([changeAt(1), changeAt(2)], [changeAt(2), changeAt(1)])).toEqual(["at 2", "at 1"]);
  });

  it("as one, if overlapping attempts gave it two times", () => {
    expect(listed([changeAt(1, "a")], [changeAt(2, "a")])).toEqual(["a"]);
  });

  it("up to ten of each environment, with the time until which others may be missing", () => {
    const kept = [...times(10, (index) => changeAt(30 - index)), { ...changeAt(9), key: "key" }];

    const { changes, droppedUntil } = listChanges(
      [
        environmentState({ changes: kept, droppedUntil: changeAt(8).at }),
        environmentState({ droppedUntil: changeAt(7).at }),
      ],
      "name",
    );

    expect([changes.length, droppedUntil]).toEqual([10, changeAt(9).at]);
  });
});
