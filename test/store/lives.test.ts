/** A feature that is deleted and created again while a request is in flight: the request does not change it. */
import { beforeEach, describe, expect, it } from "vitest";
import { readStoredFeature } from "../../infra/store/read-stored-feature.ts";
import { deleteFeature, writeFeature } from "../../infra/store/write-feature.ts";
import type { Tag } from "../../lib/contract/tags.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { createStamp } from "../../lib/features/stores.ts";
import { useBurgee } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { addFeature, tag, variant } from "../support/seed.ts";
import type { Call } from "../support/wire.ts";

const burgee = useBurgee();

const environments = { development: [variant("blue")], production: [variant("blue")] };
const patch = [add("/-", { name: "red", weight: 1 })];
let feature: string;

beforeEach(async () => {
  feature = await addFeature(burgee, { environments });
  await burgee.store({ projects: [{ id: "other", environments: ["development", "production"] }] });
});

const ofEnvironment = ({ input }: Call) => JSON.stringify(input.Key ?? "").includes("ENVIRONMENT#");
const isWrite = (call: Call) => call.operation === "UpdateItem" && ofEnvironment(call);

async function recreate(project = "default"): Promise<void> {
  await deleteFeature(burgee.session, feature, await readStoredFeature(burgee.session, feature));
  await write(project);
}

async function write(project: string): Promise<void> {
  const stored = await readStoredFeature(burgee.session, feature);
  const lists = new Map(Object.entries(environments).map(([name, variants]) => [name, [...variants]]));
  const after = { name: feature, project, tags: [], environments: lists };
  await writeFeature(burgee.session, stored, after, { stamp: createStamp({ by: "operator", request: "r" }) });
}

async function expectUntouched(): Promise<void> {
  for (const environment of Object.keys(environments))
    expect(await burgee.names(feature, environment)).toEqual(["blue"]);
}

describe.each([
  ["deleted and created again", recreate],
  ["deleted and created again in another project", () => recreate("other")],
])("a feature that is %s while it is patched", (_, happens) => {
  it.each([{}, { "if-match": "*" }])("is a 404 with the headers %j, and stays as it is", async (headers) => {
    burgee.wire.beforeFirst(isWrite, happens);

    const { status, json } = await burgee.patch(feature, patch, { headers });

    expect(status).toBe(404);
    expect(json.details).toMatchObject([{ outcome: "failed" }, { outcome: "not attempted" }]);
    await expectUntouched();
  });

  it("is a 412 or 404 with the ETag of the old one, and stays as it is", async () => {
    const headers = { "if-match": await burgee.etag(feature) };
    burgee.wire.beforeFirst(isWrite, happens);

    expect([404, 412]).toContain((await burgee.patch(feature, patch, { headers })).status);
    await expectUntouched();
  });
});

it("a feature that is created again in another project between the two reads of a patch is not there", async () => {
  burgee.wire.beforeFirst(
    (call) => call.operation === "GetItem" && ofEnvironment(call),
    () => recreate("other"),
  );

  expect((await burgee.patch(feature, patch, { environment: "development" })).status).toBe(404);
  await expectUntouched();
});

it("a feature that is created again has another ETag, although its revisions are the same", async () => {
  const before = await burgee.etag(feature);

  await recreate();

  expect(await burgee.etag(feature)).not.toBe(before);
});

it("an environment that an interrupted deletion left behind gets a new uid with its new feature", async () => {
  const left = await burgee.storedEnvironment(feature, "production");
  await burgee.remove({ pk: left.pk, sk: "FEATURE" });

  await write("default");

  const { uid, revision, variants } = await burgee.storedEnvironment(feature, "production");
  expect(uid).not.toBe(left.uid);
  expect({ revision, variants }).toEqual({ revision: 2, variants: left.variants });
});

it("a change of tags and environments is refused if another operator has changed the environments since", async () => {
  const stored = await readStoredFeature(burgee.session, feature);
  const change = async (before: typeof stored, names: readonly string[], tags: Tag[]) => {
    const lists = new Map(names.map((name) => [name, [variant("blue")]]));
    const after = { name: feature, project: "default", tags, environments: lists };
    const stamp = createStamp({ by: "operator", request: "r" });
    await writeFeature(burgee.session, before, after, { stamp });
  };
  await change(stored, ["development", "production", "staging"], []);

  const second = change(stored, ["production", "development"], [tag("team-a")]);

  await expect(second).rejects.toThrow("changed concurrently");
  expect(await burgee.names(feature, "staging")).toEqual(["blue"]);
  const { item } = await readStoredFeature(burgee.session, feature);
  expect(item?.environments).toEqual(["development", "production", "staging"]);
});

const deleted = async () =>
  deleteFeature(burgee.session, feature, await readStoredFeature(burgee.session, feature));

describe.each([
  ["new variants", { development: [], production: [] }, [], { deleted, recreated: () => recreate() }],
  // Like those of a request, they are for the feature that has the name now.
  ["new tags", environments, [tag("team-a")], { deleted }],
  [
    "another order of environments",
    { production: [variant("blue")], development: [variant("blue")] },
    [],
    { deleted, recreated: () => recreate() },
  ],
])("%s", (_, lists, tags, changes) => {
  it.each(Object.entries(changes))("are refused if the feature was %s since", async (_, happens) => {
    const stored = await readStoredFeature(burgee.session, feature);
    await happens();
    const before = await readStoredFeature(burgee.session, feature);
    const after = { name: feature, project: "default", tags, environments: new Map(Object.entries(lists)) };
    const stamp = createStamp({ by: "operator", request: "r" });

    await expect(writeFeature(burgee.session, stored, after, { stamp })).rejects.toThrow("concurrently");

    expect(await readStoredFeature(burgee.session, feature)).toEqual(before);
  });
});

it.each([
  ["a feature", "-new", ["development", "production"]],
  ["an environment", "", ["development", "production", "staging"]],
])(
  "the creation of %s is refused, and writes nothing, if another operator has created it since",
  async (_, suffix, names) => {
    feature += suffix;
    const stored = await readStoredFeature(burgee.session, feature);
    const create = async (variants: Variant[]) => {
      const lists = new Map(names.map((name) => [name, stored.environments.get(name)?.variants ?? variants]));
      const after = { name: feature, project: "default", tags: [], environments: lists };
      const stamp = createStamp({ by: "operator", request: "r" });
      await writeFeature(burgee.session, stored, after, { stamp });
    };
    await create([variant("green")]);
    const before = await readStoredFeature(burgee.session, feature);

    await expect(create([])).rejects.toThrow("changed concurrently");

    expect(await readStoredFeature(burgee.session, feature)).toEqual(before);
  },
);
