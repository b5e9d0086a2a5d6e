/** An update of tags: what concurrent requests, lost responses and the deadline make of it. */
import { expect, it } from "vitest";
import { limits } from "../../../../lib/contract/limits.ts";
import type { TagState } from "../../../../lib/features/model.ts";
import { earlierWriteIdsAfter } from "../../../../lib/features/stamp.ts";
import type { Conflict, TagStore } from "../../../../lib/features/stores.ts";
import { sortTags } from "../../../../lib/features/tags/tag-list.ts";
import { type TagRequest, updateTags } from "../../../../lib/features/tags/update-tags.ts";
import { times } from "../../../support/patching.ts";
import { tag } from "../../../support/seed.ts";

const stampOf = (id: string) => ({ id, by: "ci", at: new Date().toISOString(), requestId: "r" });

const request: TagRequest = {
  feature: "f",
  update: { addedTags: [tag("ours")], removedTags: [] },
  caller: { name: "ci", permissions: [{ permission: "ADMIN" }] },
  preconditions: {},
  stamp: stampOf("ours"),
};

/** What happens to a write at the table. */
interface Fate {
  /** Whether the first attempt was stored, where its response did not arrive. */
  lost?: "stored" | "not stored";
  /** A proxy sent it twice, and returned the refusal of the second copy. */
  isRepeated?: boolean;
  meanwhile?: (table: Table) => unknown;
  /** The refusal does not show the item. */
  isWithheld?: boolean;
}

interface Table {
  store: TagStore;
  state(): TagState | undefined;
  /** The calls, pauses included, in order. */
  calls: string[];
  /** Other requests add a tag each. */
  update(count?: number): void;
  remove(): void;
  createAgain(): void;
}

const created = (uid: string): TagState => ({
  project: "p",
  uid,
  revision: 1,
  tags: [],
  lastWrite: stampOf("creation"),
  earlierWriteIds: [],
});

function openTable(...fates: Fate[]): Table {
  let state: TagState | undefined = created("first");
  const calls: string[] = [];

  function write(before: TagState, after: TagState): boolean {
    if (state?.uid !== before.uid || state.revision !== before.revision) return false;
    state = after;
    return true;
  }

  function updateOnce(): void {
    if (!state) throw new Error("there is no feature");
    const { revision, tags } = state;
    const lastWrite = stampOf(`theirs-${revision}`);
    const earlierWriteIds = earlierWriteIdsAfter(state.lastWrite, state.earlierWriteIds);
    state = {
      ...state,
      revision: revision + 1,
      tags: [...tags, tag(lastWrite.id)],
      lastWrite,
      earlierWriteIds,
    };
  }

  const table: Table = {
    calls,
    state: () => state,
    update: (count = 1) => void times(count, updateOnce),
    remove() {
      state = undefined;
    },
    createAgain() {
      state = created("second");
    },
    store: {
      async readTags() {
        calls.push("read");
        return state;
      },
      async writeTags(_, before, after) {
        calls.push(`write ${after.revision}`);
        const { lost, isRepeated, meanwhile, isWithheld = false } = fates.shift() ?? {};
        if (lost === "stored" || isRepeated) write(before, after);
        meanwhile?.(table);
        if (write(before, after)) return { isStored: true };
        const refused: Conflict<TagState> = { isStored: false, mayBeStored: lost !== undefined };
        return isWithheld ? refused : { ...refused, stored: state };
      },
      smokeTest: async () => [],
    },
  };
  return table;
}

/** In each pause, this happens. */
function run(table: Table, inPause: (table: Table) => unknown = () => {}) {
  const { calls, store } = table;
  async function sleep() {
    calls.push("pause");
    inPause(table);
  }
  return updateTags(store, { sleep, remainingMs: () => 10_000 }, request);
}

const valuesIn = (state: TagState | undefined) => state?.tags.map(({ value }) => value);
const theirs = ({ update }: Table) => update();
const removed = ({ remove }: Table) => remove();
const createdAgain = ({ createAgain }: Table) => createAgain();
const theirMany =
  (count: number) =>
  ({ update }: Table) =>
    update(count);
/** The ids that the feature keeps, that of the last update included. */
const keptIds = limits.earlierWriteIds + 1;

it.each<[string, Fate[], string[]]>([
  [
    "is planned again on what it reads after a pause",
    [{ meanwhile: theirs }],
    ["write 2", "pause", "read", "write 3"],
  ],
  [
    "pauses twice, and then plans on what the failed writes return",
    times(3, () => ({ meanwhile: theirs })),
    ["write 2", "pause", "read", "write 3", "pause", "read", "write 4", "write 5"],
  ],
  [
    "does not pause after a lost response, which has taken longer than a pause",
    [{ lost: "not stored", meanwhile: theirs }],
    ["write 2", "write 3"],
  ],
  [
    "reads the tags where the refusal does not show them",
    [{ meanwhile: theirs, isWithheld: true }],
    ["write 2", "read", "pause", "read", "write 3"],
  ],
])("after a conflict, an update %s", async (_, fates, calls) => {
  const conflicts = fates.length;
  const table = openTable(...fates);

  const { tags } = await run(table);

  expect(table.calls).toEqual(["read", ...calls]);
  expect(valuesIn(table.state())).toEqual(["ours", ...times(conflicts, (index) => `theirs-${index + 1}`)]);
  expect(tags).toEqual(table.state()?.tags);
});

it.each<[string, Fate]>([
  ["whose response was lost", { lost: "stored" }],
  ["that a proxy sent twice", { isRepeated: true }],
  ["whose response was lost, and whose refusal shows no item", { lost: "stored", isWithheld: true }],
  [
    "that as many updates followed as the feature keeps older ids",
    { lost: "stored", meanwhile: theirMany(keptIds - 1) },
  ],
])("a write %s is made once", async (_, fate) => {
  const table = openTable(fate);

  const { tags } = await run(table);

  expect(table.calls.filter((call) => call.startsWith("write"))).toEqual(["write 2"]);
  expect(tags).toEqual(sortTags(table.state()?.tags ?? []));
  expect(valuesIn(table.state())?.filter((value) => value === "ours")).toEqual(["ours"]);
});

it("an update knows that its write was not stored, as long as the feature keeps the id of each update since", async () => {
  const table = openTable({ lost: "not stored", meanwhile: theirMany(keptIds) });

  await run(table);

  expect(table.calls).toEqual(["read", "write 2", `write ${keptIds + 2}`]);
});

const unknown = {
  status: 409,
  code: "outcome-unknown",
  mayBeStored: true,
};
const deleted = {
  status: 404,
  message: 'Feature "f" was deleted meanwhile; it is not known whether the write was stored before',
  mayBeStored: true,
};

it.each<[string, Fate, object]>([
  [
    "the response was lost, and more updates followed than the feature keeps ids of",
    { lost: "not stored", meanwhile: theirMany(keptIds + 1) },
    unknown,
  ],
  [
    "the write was refused, and more updates were made than the feature keeps ids of",
    { meanwhile: theirMany(keptIds + 1) },
    unknown,
  ],
  ["the response was lost, and the feature was deleted", { lost: "not stored", meanwhile: removed }, deleted],
  [
    "the response was lost, and the feature was created again",
    { lost: "not stored", meanwhile: createdAgain },
    deleted,
  ],
  ["the write was refused, as the feature was deleted", { meanwhile: removed }, deleted],
  ["the write was refused, as the feature was created again", { meanwhile: createdAgain }, deleted],
])("reports that the outcome is not known where %s", async (_, fate, error) => {
  const table = openTable(fate);

  await expect(run(table)).rejects.toMatchObject(error);

  expect(table.calls.filter((call) => call.startsWith("write"))).toHaveLength(1);
});

it.each([
  ["deleted", removed],
  ["created again", createdAgain],
])("reports that nothing was written where the feature is %s during the pause", async (_, happens) => {
  const table = openTable({ meanwhile: theirs });

  const error = await run(table, happens).catch((thrown) => thrown);

  expect([error.status, error.message, error.mayBeStored]).toEqual([
    404,
    'Feature "f" was deleted meanwhile; nothing was written',
    false,
  ]);
});
