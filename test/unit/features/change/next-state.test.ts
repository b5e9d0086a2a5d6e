/** Changes in any history of patches and undos: in effect, undone, undoable, carried, listed. */
import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { limits } from "../../../../lib/contract/limits.ts";
import { nextState } from "../../../../lib/features/change/next-state.ts";
import { listChanges, mergeChanges } from "../../../../lib/features/history/list-changes.ts";
import { lookUpChangesOrRefuse } from "../../../../lib/features/history/look-up.ts";
import { isUndoableHere } from "../../../../lib/features/history/plan-undo.ts";
import {
  type ChangeWithUndo,
  contentOf,
  type EnvironmentChange,
  type EnvironmentState,
} from "../../../../lib/features/model.ts";
import { isTooOld } from "../../../../lib/features/stamp.ts";
import type { EnvironmentReader } from "../../../../lib/features/stores.ts";
import { milliseconds } from "../../../support/cost.ts";
import { times } from "../../../support/patching.ts";
import { environmentState, variant } from "../../../support/seed.ts";

const at = new Date().toISOString();
const stampOf = (id: string) => ({ id, by: "ci", at, requestId: "r" });
const undoOf = (change: string) => ({ kind: "undo", changeId: change, form: "index" }) as const;
const emptyPatch = { kind: "patch", root: "variants", patch: [], form: "name" } as const;
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();

/** An environment with every change that was made in it, newest first. */
interface History {
  state: EnvironmentState;
  changes: readonly EnvironmentChange[];
}

const lastOf = ({ carried }: EnvironmentState): EnvironmentChange => carried[0] as EnvironmentChange;

const start: History = { state: environmentState(), changes: [] };

function make(
  { state, changes }: History,
  plan: Partial<Parameters<typeof nextState>[1]>,
  id = `c${state.revision}`,
): History {
  const next = nextState(state, { ...contentOf(state), ...plan }, stampOf(id));
  return { state: next, changes: [lastOf(next), ...changes] };
}

const patch = (history: History, id?: string): History =>
  make(history, { enabled: true, variants: [variant(`v${history.state.revision}`)] }, id);
const undo = (history: History, change: EnvironmentChange): History =>
  make(history, { ...contentOf(history.state), ...change.old, undoneChange: change });

/** Has items as the table has them: none of a carried change, and no mark of a carried undo. */
function readerOf({ changes, state: { uid, carried } }: History): EnvironmentReader {
  const kept = changes.slice(carried.length);
  const madeOf = (change: EnvironmentChange): ChangeWithUndo => {
    const undone = kept.find(({ undoes }) => undoes?.revision === change.revision);
    return { change, undoneBy: undone };
  };
  return {
    readEnvironments: async () => [],
    readNewestChanges: async () => [],
    async readChangeItems(id) {
      const change = kept.find((made) => made.id === id);
      return new Map(change ? [[uid, madeOf(change)]] : []);
    },
  };
}

async function find(history: History, id: string): Promise<ChangeWithUndo | undefined> {
  const [found] = await lookUpChangesOrRefuse(readerOf(history), [history.state], {
    stamp: stampOf("new"),
    edit: undoOf(id),
  });
  return found?.changeToUndo;
}

const steps = fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 60 });

/** 0 undoes the newest change in effect, others patch. */
function historyOf(kinds: readonly number[]): History {
  return kinds.reduce((history, kind) => {
    const change = history.changes.find((made) => isUndoableHere(made, history.state));
    return kind === 0 && change ? undo(history, change) : patch(history);
  }, start);
}

it("a change is undone, or can be, as a replay of the whole history says", async () => {
  const agrees = fc.asyncProperty(steps, async (kinds) => {
    const history = historyOf(kinds);
    const { state, changes } = history;
    const undos = new Map(changes.map(({ id, undoes }) => [undoes?.revision, id]));
    const inEffect = changes.filter(({ revision, undoes }) => !undoes && !undos.has(revision));

    for (const change of changes) {
      expect(isUndoableHere(change, state)).toBe(change === inEffect[0]);
      const found = await find(history, change.id);
      expect([found?.change, found?.undoneBy?.id]).toEqual([change, undos.get(change.revision)]);
    }
    const [top] = inEffect;
    expect(state.variants).toEqual([variant(top ? `v${top.revision - 1}` : "blue")]);
  });
  await fc.assert(agrees, { numRuns: 300 });
});

it("a change that was made after the environment was read is not in what was read", async () => {
  const first = patch(start);
  const later = patch(first);

  const [found] = await lookUpChangesOrRefuse(readerOf(patch(later)), [first.state], {
    stamp: stampOf("new"),
    edit: undoOf("c2"),
  });

  expect(found).toEqual({ state: first.state, ownChange: undefined, changeToUndo: undefined });
});

it("a change is found in each environment, also where only one carries it still", async () => {
  const first = patch(start);
  const later = times(limits.carriedChanges, () => 0).reduce((history) => patch(history), first);
  const other = { ...first.state, uid: "other" };

  const found = await lookUpChangesOrRefuse(readerOf(later), [other, later.state], {
    stamp: stampOf("new"),
    edit: undoOf("c1"),
  });

  expect(found.map(({ changeToUndo }) => changeToUndo?.change.id)).toEqual(["c1", "c1"]);
});

it("a retry is recognised for 29 days, and refused then", async () => {
  const retry = async (days: number) => {
    const stamp = { ...stampOf("one"), requestHash: "a" };
    const history = {
      ...start,
      state: nextState(
        start.state,
        { ...contentOf(start.state), variants: [] },
        { ...stamp, at: daysAgo(days) },
      ),
    };
    const [found] = await lookUpChangesOrRefuse(readerOf(history), [history.state], {
      stamp,
      edit: emptyPatch,
    });
    return found?.ownChange?.id;
  };

  expect(await retry(28.9)).toBe("one");
  await expect(retry(29)).rejects.toMatchObject({
    message: "This Idempotency-Key was first used more than 29 days ago; use a new one",
    changeId: "one",
  });
});

it("an environment carries its newest three changes, and none beside those that are large", () => {
  const large = [variant("large", { payload: { type: "string", value: "x".repeat(limits.carriedBytes) } })];
  const sizesOf = (first: History, count: number) => {
    let history = first;
    return times(count, () => {
      history = patch(history);
      return history.state.carried.length;
    });
  };

  expect(sizesOf(start, 7)).toEqual([1, 2, 3, 1, 2, 3, 1]);
  expect(sizesOf(make(start, { enabled: true, variants: large }), 3)).toEqual([2, 1, 2]);
});

it("an environment has the ids of more changes than are listed", () => {
  let history = start;
  for (let count = 0; count < 30; count++) history = patch(history);
  const { state, changes } = history;

  const ids = [...state.carried.map(({ id }) => id), ...state.droppedIds];
  expect(ids.slice(0, limits.listedChanges + 1)).toEqual(
    changes.slice(0, limits.listedChanges + 1).map(({ id }) => id),
  );
  expect(state.droppedIds).toHaveLength(limits.listedChanges);
});

it.each([
  [["a", "again", "b"], ["b"]],
  [["a", "b", "again"], []],
])('of %j an environment keeps %j once the id "again" is used again', (ids, expected) => {
  const full = ids.reduce((history, id) => patch(history, id), start);

  const { state } = patch(patch(full, "later"), "again");

  expect(state.carried.map(({ id }) => id)).toEqual(["again", "later"]);
  expect(state.droppedIds).toEqual(expected);
});

it("5,000 changes that are made and undone leave an environment as large as 50 do", () => {
  const sizeAfter = (count: number) => {
    let { state } = start;
    for (let made = 0; made < count; made++) {
      const content = contentOf(state);
      state = nextState(state, { ...content, variants: [variant("red")] }, stampOf("made"));
      state = nextState(state, { ...content, undoneChange: lastOf(state) }, stampOf("undone"));
    }
    return JSON.stringify(state).length;
  };

  expect(sizeAfter(5000) - sizeAfter(50)).toBeLessThan(50);
});

it("a change whose id was used again after a month is another one", async () => {
  const old = patch(start, "again");
  const again = patch(patch(old), "again");
  const undone = undo(again, lastOf(again.state));
  const back = undo(undone, undone.changes[2] as EnvironmentChange);

  expect(back.state.top).toEqual({ id: "again", revision: 2, at });
  expect(await find(back, "again")).toMatchObject({ change: undone.changes[1], undoneBy: { id: "c4" } });
  expect(isUndoableHere(undone.changes[1] as EnvironmentChange, back.state)).toBe(false);
});

it("a change is under none of the last ten guards whose trips have undone a later one, also when it is on top again", () => {
  const guard = (index: number) => ({ name: `g${index}`, seconds: 60 });
  const patchUnder = ({ state, changes }: History, index: number): History => {
    const stamp = { ...stampOf(`c${state.revision}`), guard: guard(index) };
    const next = nextState(state, { ...contentOf(state), enabled: !state.enabled }, stamp);
    return { state: next, changes: [lastOf(next), ...changes] };
  };
  const trip = (history: History, trippedGuardName: string): History =>
    make(history, { undoneChange: lastOf(history.state), trippedGuardName });
  const first = patchUnder(start, 1);
  const below = patch(first);
  const trippedBy = (last: number) =>
    times(last, (index) => index + 1).reduce(
      (history, index) => trip(patchUnder(history, index), `g${index}`),
      below,
    );
  const guardAfter = (last: number) => undo(trippedBy(last), lastOf(below.state)).state.top?.guard?.name;

  expect([0, 1, 10, 11].map(guardAfter)).toEqual(["g1", undefined, undefined, "g1"]);
  expect(trippedBy(11).state.top).toMatchObject({ id: lastOf(below.state).id });
  expect(trippedBy(11).state.top?.trippedGuards).toEqual(times(10, (index) => `g${11 - index}`));
});

it("a change is not undone by what followed after its environment was read", async () => {
  const patchOften = (from: History) => times(10, () => 0).reduce((history) => patch(history), from);
  const old = patch(start);
  const change = lastOf(old.state);
  const read = patchOften(old);
  const since = patchOften(undo(read, change));

  const [found] = await lookUpChangesOrRefuse(readerOf(since), [read.state], {
    stamp: stampOf("new"),
    edit: undoOf("c1"),
  });

  expect(found?.changeToUndo).toEqual({ change });
});

it("a change expires a day before it is deleted", () => {
  vi.setSystemTime(Date.now());
  onTestFinished(() => void vi.useRealTimers());
  const made = [28.9, 29].map((days) =>
    nextState(
      start.state,
      { ...contentOf(start.state), variants: [] },
      { ...stampOf("old"), at: daysAgo(days) },
    ),
  );

  expect(made.map((state) => isTooOld(lastOf(state)))).toEqual([false, true]);
  expect(made.map((state) => isUndoableHere(lastOf(state), state))).toEqual([true, false]);
});

/** Each change is written as the day on which it was made; each list has the newest first. */
it.each([
  ["an environment keep the order of its writes", [["1", "2"]], ["1", "2"]],
  [
    "several environments come by their times",
    [
      ["3", "1"],
      ["4", "2"],
    ],
    ["4", "3", "2", "1"],
  ],
  [
    "several environments are listed once",
    [
      ["3", "1"],
      ["1", "2"],
    ],
    ["3", "2", "1"],
  ],
  [
    "two environments that wrote them in opposite orders come by their times",
    [
      ["1", "2"],
      ["2", "1"],
    ],
    ["2", "1"],
  ],
])("the changes of %s", (_, lists, expected) => {
  const changeOn = (day: string): EnvironmentChange => {
    const stamp = { ...stampOf(day), at: `2026-01-0${day}T00:00:00.000Z` };
    return {
      ...stamp,
      revision: 2,
      writtenAt: stamp.at,
      old: {},
      oldTop: null,
    };
  };
  const listed = mergeChanges(
    "f",
    lists.map((days) => ({ state: environmentState(), changes: days.map(changeOn) })),
  );

  expect(listed.map(({ id }) => id)).toEqual(expected);
});

it("a change that later ones push out of another environment's list cannot be undone", async () => {
  const here = patch(start, "both");
  let there = patch({ state: environmentState({ environment: "other", uid: "other" }), changes: [] }, "both");
  for (const index of times(25, (index) => index)) there = patch(there, `later-${index}`);
  const lookedUp: string[] = [];
  const reader: EnvironmentReader = {
    ...readerOf(there),
    readNewestChanges: async () => [
      { state: here.state, changes: here.changes, hasMore: false },
      { state: there.state, changes: there.changes.slice(0, limits.listedChanges), hasMore: true },
    ],
    readChangeItems(id) {
      lookedUp.push(id);
      return readerOf(there).readChangeItems(id);
    },
  };

  const { changes, hasMore } = await listChanges(reader, "f", [here.state, there.state]);

  const made = changes.find(({ id }) => id === "both");
  expect(made?.environments).toMatchObject([{ environment: "production", canUndo: false }]);
  expect([lookedUp, hasMore]).toEqual([["both"], true]);
});

it("the list has as many of the newest changes as fit in a response, and says that there are more", async () => {
  // A quotation mark takes four bytes: the response of a function has its body as a JSON string.
  const value = '"'.repeat(100_000);
  let history = start;
  for (const index of times(limits.listedChanges, (index) => index)) {
    const variants = [variant(`v${index}`, { payload: { type: "string", value } })];
    history = make(history, { enabled: true, variants }, `c${index}`);
  }
  const read = async (changes: readonly EnvironmentChange[]) => {
    const newest = [{ state: history.state, changes, hasMore: false }];
    const reader = { ...readerOf(history), readNewestChanges: async () => newest };
    const list = await listChanges(reader, "f", [history.state]);
    return { ids: list.changes.map(({ id }) => id), hasMore: list.hasMore };
  };
  const ids = history.changes.map(({ id }) => id);

  const few = await read(history.changes.slice(0, 5));
  const all = await read(history.changes);

  expect(few).toEqual({ ids: ids.slice(0, 5), hasMore: false });
  expect(all.ids).toEqual(ids.slice(0, all.ids.length));
  expect([all.ids.length < ids.length, all.hasMore]).toEqual([true, true]);
});

it("20,000 changes of three environments are listed within two seconds", () => {
  const changes = times(20_000, (index): EnvironmentChange => {
    const revision = 20_000 - index;
    return {
      ...stampOf(`c${revision}`),
      revision,
      writtenAt: at,
      old: {},
      oldTop: null,
    };
  });

  let listed: ReturnType<typeof mergeChanges> = [];
  const newest = times(3, () => ({ state: environmentState(), changes }));
  const list = () => {
    listed = mergeChanges("f", newest);
  };

  expect(milliseconds(list, 2000)).toBeLessThanOrEqual(2000);
  expect(listed.map(({ id }) => id)).toEqual(changes.map(({ id }) => id));
});
