/** The write of one environment: what concurrent requests, lost responses and the deadline make of it. */
import { expect, it } from "vitest";
import { InternalError, TemporarilyUnavailable, ValidationError } from "../../../../lib/contract/errors.ts";
import { isFull, nextState } from "../../../../lib/features/change/next-state.ts";
import {
  type EndedOutcome,
  failedOutcome,
  type Outcome,
  outcomeAsFound,
  type PreparedOutcome,
} from "../../../../lib/features/change/outcome.ts";
import { planEnvironment } from "../../../../lib/features/change/plan-change.ts";
import { finishEnvironment, writeEnvironments } from "../../../../lib/features/change/write-environments.ts";
import { type Backoff, pause } from "../../../../lib/features/conflicts/backoff.ts";
import { lookUpChangesOrRefuse } from "../../../../lib/features/history/look-up.ts";
import {
  type ChangeRequest,
  contentOf,
  type Edit,
  type EnvironmentChange,
  type EnvironmentState,
  type Plan,
} from "../../../../lib/features/model.ts";
import { movesBetween } from "../../../../lib/features/moves/moves.ts";
import type { EnvironmentStore } from "../../../../lib/features/stores.ts";
import { add, remove, times } from "../../../support/patching.ts";
import { environmentState, variant } from "../../../support/seed.ts";

const target = { project: "p", feature: "f" };
const stampOf = (id: string) => ({ id, by: "ci", at: new Date().toISOString(), requestId: "r" });
/** The hint about the weight 1, which has no effect. */
const hint = expect.stringContaining('"ours"');

/** Adds one, so that a plan on an old state would lose what others have added. */
const addOurs: Edit = { kind: "patch", root: "variants", patch: [add("/ours", { weight: 1 })], form: "name" };
const adding = (name: string, state: EnvironmentState): Plan => ({
  ...contentOf(state),
  variants: [...state.variants, variant(name)],
});

const request: ChangeRequest = {
  target,
  caller: { name: "ci", permissions: [{ permission: "ADMIN" }] },
  stamp: stampOf("ours"),
  edit: addOurs,
  preconditions: {},
  isStrict: false,
  mostMoves: undefined,
};
const ofKey: ChangeRequest = { ...request, stamp: { ...request.stamp, requestHash: "a" } };
const ifMatch = (etags: "*" | string[]): ChangeRequest => ({ ...request, preconditions: { ifMatch: etags } });
const undo: ChangeRequest = { ...request, edit: { kind: "undo", changeId: "theirs-1", form: "index" } };

/** What happens to a write before its last attempt reaches the table. */
interface Fate {
  /** Whether the first attempt was stored, where its response did not arrive. */
  lost?: "stored" | "not stored";
  /** A proxy sent it twice, and returned the refusal of the second copy. */
  isRepeated?: boolean;
  meanwhile?: (table: Table) => unknown;
}

interface Table {
  store: EnvironmentStore;
  state: () => EnvironmentState | undefined;
  /** The calls, pauses included, in order. */
  calls: string[];
  /** Another request appends a variant. */
  patch(stamp?: ChangeRequest["stamp"]): void;
  /** Another request undoes the newest change. */
  undo(): void;
  remove(): void;
  createAgain(): void;
}

/** One environment, at revision 2 by the change `theirs-1`. */
function openTable(
  fates: Fate[] = [],
  { readFailure, showsItem = true }: { readFailure?: Error | undefined; showsItem?: boolean } = {},
): Table {
  let count = 0;
  let state: EnvironmentState | undefined = environmentState();
  const items = new Map<string, EnvironmentChange>();
  const calls: string[] = [];

  function keep(full: EnvironmentState): void {
    if (isFull(full)) for (const change of full.carried) items.set(change.id, change);
  }

  function write(before: EnvironmentState, after: EnvironmentState): boolean {
    if (state?.uid !== before.uid || state.revision !== before.revision) return false;
    const dropped = before.carried.filter((change) => !after.carried.includes(change));
    expect([...items.values()]).toEqual(expect.arrayContaining(dropped));
    state = after;
    return true;
  }

  function change(plan: (state: EnvironmentState) => Plan, stamp: ChangeRequest["stamp"]): void {
    if (!state) throw new Error("there is no environment");
    keep(state);
    write(state, nextState(state, plan(state), stamp));
  }

  const table: Table = {
    state: () => state,
    calls,
    patch(stamp = stampOf(`theirs-${++count}`)) {
      change((state) => adding(stamp.id, state), stamp);
    },
    undo() {
      change(
        ({ carried: [undone], ...content }) => ({
          ...contentOf(content),
          ...undone?.old,
          undoneChange: undone,
        }),
        stampOf("undo"),
      );
    },
    remove() {
      state = undefined;
    },
    createAgain() {
      state = environmentState({ uid: "another", revision: 2 });
    },
    store: {
      readEnvironments: async () => (state ? [state] : []),
      async readStoredEnvironment() {
        calls.push("read");
        if (readFailure) throw readFailure;
        return state;
      },
      async readChangeItems(id) {
        if (readFailure) throw readFailure;
        const change = items.get(id);
        return new Map(change && state ? [[state.uid, { change }]] : []);
      },
      readNewestChanges: async () => [],
      prepareWrites: async (target, planned) =>
        Promise.all(planned.map((one) => table.store.prepareWrite(target, one))),
      async prepareWrite(_, planned) {
        const { kind, before } = planned;
        if (kind === "pending" && isFull(before)) calls.push("keep");
        if (kind === "pending") keep(before);
        return planned as PreparedOutcome;
      },
      async writeEnvironment(_, before, after) {
        calls.push(`write ${after.revision}`);
        const { lost, isRepeated, meanwhile } = fates.shift() ?? {};
        if (lost === "stored" || isRepeated) write(before, after);
        meanwhile?.(table);
        if (write(before, after)) return { isStored: true };
        return { isStored: false, mayBeStored: lost !== undefined, ...(showsItem && { stored: state }) };
      },
      smokeTest: async () => [],
    },
  };
  table.patch();
  return table;
}

const backoffOf = ({ calls }: Table, remainingMs = 10_000): Backoff => ({
  clock: { sleep: async () => void calls.push("pause"), remainingMs: () => remainingMs },
  pauses: 0,
  roundStartedAt: performance.now(),
});

/** Plans the request on the table as it is, and then changes the environment. */
async function change(
  table: Table,
  request: ChangeRequest,
  {
    backoff = backoffOf(table),
    meanwhile = async () => {},
  }: { backoff?: Backoff; meanwhile?: () => Promise<void> } = {},
): Promise<EndedOutcome> {
  const { store } = table;
  const states = await store.readEnvironments(target);
  const [found = { state: environmentState() }] = await lookUpChangesOrRefuse(store, states, request);
  const planned = planEnvironment(request, found);
  await meanwhile();
  return finishEnvironment(store, backoff, request, planned as PreparedOutcome);
}

/** In its pause for another environment, other requests change this one. */
function changeAfterPause(table: Table, request: ChangeRequest, paused: (table: Table) => void) {
  const backoff = backoffOf(table);
  const meanwhile = async () => {
    await pause(backoff);
    paused(table);
  };
  return change(table, request, { backoff, meanwhile });
}

const namesIn = (state: EnvironmentState | undefined) => state?.variants.map(({ name }) => name).sort();

const theirs = ({ patch }: Table) => patch();
const theirFour = ({ patch }: Table) => times(4, () => patch());
const removed = ({ remove }: Table) => remove();
const deletedMeanwhile = {
  status: 404,
  code: "outcome-unknown",
  mayBeStored: true,
};
const deleted = {
  status: 404,
  message: "This environment of the feature was deleted meanwhile; nothing was written here",
};
const one = ["blue", "theirs-1", "ours"];
const two = ["blue", "theirs-1", "theirs-2", "ours"];
const afterConflict = ["write 3", "pause", "read", "write 4"];

it.each<[string, ChangeRequest, fates: Fate[], calls: string[], names: string[]]>([
  ["at once", request, [], ["write 3"], one],
  ["at once with the ETag of If-Match", ifMatch(["e"]), [], ["write 3"], one],
  ["on top of a concurrent change", request, [{ meanwhile: theirs }], afterConflict, two],
  ["on top of it with an If-Match of *", ifMatch("*"), [{ meanwhile: theirs }], afterConflict, two],
  [
    "on top of one after the other",
    request,
    [{ meanwhile: theirs }, { meanwhile: theirs }],
    // With three changes it is full: they are kept before the write drops them.
    [...afterConflict, "pause", "read", "keep", "write 5"],
    ["blue", "theirs-1", "theirs-2", "theirs-3", "ours"],
  ],
  [
    "without a pause from the third conflict on",
    request,
    times(4, () => ({ meanwhile: theirs })),
    [...afterConflict, "pause", "read", "keep", "write 5", "write 6", "write 7"],
    ["blue", "theirs-1", "theirs-2", "theirs-3", "theirs-4", "theirs-5", "ours"],
  ],
  ["by the attempt whose response was lost", request, [{ lost: "stored" }], ["write 3"], one],
  [
    "by that attempt, although a concurrent change followed it",
    request,
    [{ lost: "stored", meanwhile: theirs }],
    ["write 3"],
    ["blue", "theirs-1", "ours", "theirs-2"],
  ],
  [
    "by that attempt, although it is no longer carried",
    request,
    [{ lost: "stored", meanwhile: theirFour }],
    ["write 3"],
    ["blue", "theirs-1", "ours", "theirs-2", "theirs-3", "theirs-4", "theirs-5"],
  ],
  ["by that attempt with If-Match", ifMatch(["e"]), [{ lost: "stored" }], ["write 3"], one],
  [
    "by another attempt, where the one without a response was not stored",
    request,
    [{ lost: "not stored", meanwhile: theirs }],
    ["write 3", "write 4"],
    two,
  ],
  [
    "by a parallel retry with its idempotency key",
    ofKey,
    [{ meanwhile: ({ patch }) => patch(ofKey.stamp) }],
    ["write 3"],
    one,
  ],
  [
    "by the first of two copies that a proxy sent",
    request,
    [{ meanwhile: ({ patch }) => patch(request.stamp) }],
    ["write 3"],
    one,
  ],
  [
    "by the first of two copies, although it is no longer carried",
    request,
    [{ meanwhile: (table) => [table.patch(request.stamp), theirFour(table)] }],
    ["write 3"],
    ["blue", "theirs-1", "ours", "theirs-2", "theirs-3", "theirs-4", "theirs-5"],
  ],
  [
    "by the first of two copies, although more changes followed than the environment has the ids of",
    request,
    [{ meanwhile: (table) => [table.patch(request.stamp), ...times(25, () => table.patch())] }],
    ["write 3"],
    ["blue", "theirs-1", "ours", ...times(25, (index) => `theirs-${index + 2}`)],
  ],
])("an environment is written %s", async (_, request, fates, calls, names) => {
  const table = openTable(fates);

  const outcome = await change(table, request);

  expect(outcome).toMatchObject({ kind: "written", hint });
  expect(outcome.after).toEqual(table.state());
  expect(namesIn(outcome.after)).toEqual(names.toSorted());
  expect(table.calls).toEqual(calls);
});

it("a parallel retry that wrote on top of another change has moved other users than was planned", async () => {
  const table = openTable([{ meanwhile: ({ patch }) => [patch(), patch({ ...ofKey.stamp, id: "ours" })] }]);

  const { after, moves, ownChange, ...outcome } = await change(table, ofKey);

  expect(outcome).toMatchObject({ kind: "written", hint: undefined });
  expect(ownChange).toEqual(after.carried[0]);
  expect(moves).toEqual(movesBetween(target.feature, { ...after, ...ownChange?.old }, after));
});

it("an environment is read again after a lost response if the refusal does not show the stored item", async () => {
  const table = openTable([{ lost: "stored" }], { showsItem: false });

  expect(await change(table, request)).toMatchObject({ kind: "written", hint });
  expect(table.calls).toEqual(["write 3", "read"]);
});

it.each<[string, ChangeRequest, (table: Table) => void, calls: string[], names: string[]]>([
  ["on top of a concurrent change", request, theirs, ["read", "write 4"], two],
  ["with If-Match where it was not changed", ifMatch(["e"]), () => {}, ["read", "write 3"], one],
])(
  "after a pause for another environment, an environment is read first: %s",
  async (_, request, paused, calls, names) => {
    const table = openTable();

    const outcome = await changeAfterPause(table, request, paused);

    expect(outcome.kind).toBe("written");
    expect(namesIn(table.state())).toEqual(names.toSorted());
    expect(table.calls).toEqual(["pause", ...calls]);
  },
);

it("what a parallel retry with its idempotency key writes during a pause is not written again", async () => {
  const table = openTable();

  const outcome = await changeAfterPause(table, ofKey, ({ patch }) => patch(ofKey.stamp));

  expect(outcome).toMatchObject({ kind: "written", hint });
  expect(outcome.after).toEqual(table.state());
  expect(table.calls).toEqual(["pause", "read"]);
});

it("after a pause for another environment, an environment may be found deleted", async () => {
  const table = openTable();

  const outcome = await changeAfterPause(table, request, removed);

  expect(outcome).toMatchObject({ kind: "failed", error: deleted });
  expect(table.calls).toEqual(["pause", "read"]);
});

it.each([
  outcomeAsFound(environmentState(), "unchanged"),
  outcomeAsFound(environmentState(), "already written"),
  failedOutcome(environmentState(), new ValidationError("why")),
])(
  "an environment that is planned as $kind is neither read nor written, also after a pause",
  async (planned) => {
    const table = openTable();
    const backoff = backoffOf(table);
    await pause(backoff);

    expect(await finishEnvironment(table.store, backoff, request, planned)).toBe(planned);
    expect(table.calls).toEqual(["pause"]);
  },
);

it("an undo changes nothing where a concurrent request has undone the change", async () => {
  const table = openTable([{ meanwhile: ({ undo }) => undo() }]);

  const { kind } = await change(table, undo);

  expect(kind).toBe("unchanged");
  expect(table.calls).toEqual(["write 3", "pause", "read"]);
});

const unavailable = new TemporarilyUnavailable("The database is temporarily unavailable");
const createdAgain = ({ createAgain }: Table) => createAgain();
const unknown = { status: 503, code: "outcome-unknown", mayBeStored: true };
const changed = { status: 409, code: "changed-meanwhile" };
/** Invalid once the change that added it is undone. */
const removal: ChangeRequest = {
  ...request,
  edit: { kind: "patch", root: "variants", patch: [remove("/theirs-1")], form: "name" },
};

interface Failure {
  request?: ChangeRequest;
  fate: Fate;
  readFailure?: Error;
  remainingMs?: number;
  error: { status: number; code?: string | undefined; message?: string; mayBeStored?: boolean };
  kind?: "overtaken";
}

it.each<[string, Failure]>([
  ["it was deleted", { fate: { meanwhile: removed }, error: deletedMeanwhile }],
  ["it was created again", { fate: { meanwhile: createdAgain }, error: deletedMeanwhile }],
  [
    "a response was lost, and it was deleted",
    { fate: { lost: "stored", meanwhile: removed }, error: deletedMeanwhile },
  ],
  [
    "a response was lost, and it was created again",
    { fate: { lost: "not stored", meanwhile: createdAgain }, error: deletedMeanwhile },
  ],
  ["the look-up fails", { fate: { meanwhile: theirs }, readFailure: unavailable, error: { status: 503 } }],
  [
    "a response was lost, and the look-up fails",
    { fate: { lost: "stored", meanwhile: theirFour }, readFailure: unavailable, error: unknown },
  ],
  [
    "a proxy sent the write twice, and the look-up fails",
    { fate: { isRepeated: true, meanwhile: theirFour }, readFailure: unavailable, error: unknown },
  ],
  [
    "a response was lost, and the look-up ends in an error of the service",
    {
      fate: { lost: "stored", meanwhile: theirFour },
      readFailure: new InternalError("why"),
      error: { status: 500, message: "why", mayBeStored: true },
    },
  ],
  [
    "a parallel request had its idempotency key, and another body",
    {
      request: ofKey,
      fate: { lost: "not stored", meanwhile: ({ patch }) => patch({ ...ofKey.stamp, requestHash: "b" }) },
      error: { status: 409, code: "key-used" },
    },
  ],
  [
    "it was changed since If-Match",
    { request: ifMatch(["e"]), fate: { meanwhile: theirs }, error: changed, kind: "overtaken" },
  ],
  [
    "a response was lost, nothing was stored, and it was changed since If-Match",
    {
      request: ifMatch(["e"]),
      fate: { lost: "not stored", meanwhile: theirs },
      error: changed,
      kind: "overtaken",
    },
  ],
  [
    "it was deleted since If-Match, and a proxy may have sent the write twice",
    { request: ifMatch(["e"]), fate: { meanwhile: removed }, error: deletedMeanwhile },
  ],
  [
    "no time is left for a pause",
    {
      fate: { meanwhile: theirs },
      remainingMs: 499,
      error: { status: 409, code: "gave-up" },
    },
  ],
  [
    "the request is invalid by what another has changed",
    {
      request: removal,
      fate: { meanwhile: ({ undo }) => undo() },
      error: { status: 400, message: expect.stringContaining("/theirs-1") },
    },
  ],
  [
    "it was changed since what an undo undoes",
    {
      request: undo,
      fate: { meanwhile: theirs },
      error: { status: 409, code: "cannot-undo", message: expect.stringContaining("theirs-2") },
    },
  ],
])(
  "a change of an environment fails where %s",
  async (_, { request: failed = request, fate, readFailure, remainingMs, error, kind = "failed" }) => {
    const table = openTable([fate], { readFailure });

    const outcome = await change(table, failed, { backoff: backoffOf(table, remainingMs) });

    expect(outcome).toMatchObject({ kind, error: { mayBeStored: false, ...error } });
    const state = table.state();
    const isSame = state?.uid === environmentState().uid;
    const hasPaused = isSame && !fate.lost && !fate.isRepeated && remainingMs === undefined;
    const isRead = hasPaused || state === undefined;
    expect(table.calls).toEqual(["write 3", ...(hasPaused ? ["pause"] : []), ...(isRead ? ["read"] : [])]);
  },
);

it("prepares no write after the first planned failure, so that no item of a change that is not made is stored", async () => {
  const { store } = openTable();
  const prepared: (readonly Outcome[])[] = [];
  const recording: EnvironmentStore = {
    ...store,
    prepareWrites: (target, planned) => {
      prepared.push(planned);
      return store.prepareWrites(target, planned);
    },
  };
  const states = ["development", "test", "production"].map((environment) =>
    environmentState({ environment }),
  );
  // A change under a guard needs an item before its write.
  const guarded = { ...request, stamp: { ...request.stamp, guard: { name: "errors", seconds: 60 } } };
  const [first, second, third] = states.map((state) => planEnvironment(guarded, { state }));
  const [test = environmentState()] = states.slice(1);
  const failure = failedOutcome(test, new ValidationError("why"));
  if (!first || !second || !third) throw new Error("each state has a plan");

  for (const planned of [
    [first, failure, third],
    [failure, second, third],
    [first, second, third],
  ])
    await writeEnvironments(
      recording,
      { sleep: async () => {}, remainingMs: () => 10_000 },
      guarded,
      planned,
    );

  expect(prepared).toEqual([
    [first, failure],
    [first, second, third],
  ]);
});
