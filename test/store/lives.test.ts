/** A feature that is deleted and created again while a request is in flight. Every schedule: test/explore */
import { beforeEach, expect, it } from "vitest";
import { readStoredFeature } from "../../infra/store/read-table.ts";
import { deleteFeature, writeFeature } from "../../infra/store/write-feature.ts";
import type { Tag } from "../../lib/contract/tags.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { createStamp } from "../../lib/features/stamp.ts";
import { useBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";
import type { Call } from "../support/wire.ts";

const burgee = useBurgee();

const lists: Record<string, Variant[]> = { development: [variant("blue")], production: [variant("blue")] };
const update = { addedTags: [tag("team")], removedTags: [] };
const isUpdate = ({ operation }: Call) => operation === "UpdateItem";
let feature: string;

beforeEach(async () => {
  feature = await addFeature(burgee, { environments: lists });
});

const read = () => readStoredFeature(burgee.session, feature);
const deleted = async () => deleteFeature(burgee.session, await read());

async function write(environments = lists, tags: Tag[] = [], stored?: Awaited<ReturnType<typeof read>>) {
  const after = {
    name: feature,
    project: "default",
    tags,
    environments: new Map(Object.entries(environments)),
  };
  const stamp = createStamp({ by: "operator", request: "r" });
  await writeFeature(burgee.session, stored ?? (await read()), after, stamp);
}

async function recreated(): Promise<void> {
  await deleted();
  await write();
}

it.each([
  ["without a precondition", undefined, 404],
  ["with If-Match: *", "*", 404],
  ["with the ETag of the old one", "current", 412],
])("a patch %s never writes to the new feature", async (_, given, expected) => {
  const ifMatch = given === "current" ? await burgee.etag(feature) : given;
  const headers = { ...(ifMatch !== undefined && { "if-match": ifMatch }) };
  burgee.wire.beforeFirst(isUpdate, recreated);

  const { status, json } = await burgee.patch(feature, [add("/-", { name: "red", weight: 1 })], { headers });

  expect([status, json.message]).toEqual([expected, expect.stringContaining("nothing was written")]);
  for (const environment of Object.keys(lists))
    expect(await burgee.names(feature, environment)).toEqual(["blue"]);
});

it("a tag update takes effect on the feature that has the name when it arrives, never with the old one's ETag", async () => {
  const { etag = "" } = (await burgee.getTags(feature)).headers;

  burgee.wire.beforeFirst(isUpdate, recreated);
  const conditional = await burgee.putTags(feature, update, { headers: { "if-match": etag } });
  burgee.wire.beforeFirst(isUpdate, recreated);
  const plain = await burgee.putTags(feature, update);

  expect([conditional.status, plain.status, plain.json.tags]).toEqual([412, 201, update.addedTags]);
});

it("an environment that an interrupted deletion left behind gets a new uid with its new feature", async () => {
  const left = await burgee.storedEnvironment(feature, "production");
  await burgee.remove({ pk: left.pk, sk: "FEATURE" });

  await write();

  const { uid, revision } = await burgee.storedEnvironment(feature, "production");
  expect(uid).not.toBe(left.uid);
  expect(revision).toBe(2);
});

it.each<[string, () => Promise<void>, environments: typeof lists, Tag[]]>([
  ["it was deleted", deleted, { development: [], production: [] }, []],
  ["it was created again", recreated, { development: [], production: [] }, []],
  // Tags, like those of a request, are for the feature that has the name now.
  ["it was deleted: new tags", deleted, lists, [tag("team-a")]],
  [
    "an environment was added",
    () => write({ ...lists, staging: [variant("green")] }),
    lists,
    [tag("team-a")],
  ],
])("an operator's write is refused, and changes nothing, if since it read the feature %s", async (...row) => {
  const [, happens, environments, tags] = row;
  const stored = await read();
  await happens();
  const before = await read();

  await expect(write(environments, tags, stored)).rejects.toThrow("concurrently");

  expect(await read()).toEqual(before);
});

it("the deletion of a feature that was created again since it was read is refused, and deletes nothing", async () => {
  const before = await read();
  await recreated();

  await expect(deleteFeature(burgee.session, before)).rejects.toThrow("it was changed concurrently");
  expect([...(await read()).environments.keys()]).toEqual(["development", "production"]);
});
