/** Several permissions together, what a 403 says, and which error is reported first. Each permission in every scope: access.test.ts */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Permission, PermissionName } from "../../../lib/access/permissions.ts";
import {
  missingDetails,
  naming,
  noAccess,
  notFound,
  patchedTo,
  tagged,
  unchanged,
} from "../../support/answers.ts";
import { type Request, useBurgee } from "../../support/burgee.ts";
import { add, remove, times } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const patch = [add("/-", { name: "blue", weight: 0 })];
const update = { addedTags: [tag("team")], removedTags: [] };

const granting = (permission: PermissionName, scope: Omit<Permission, "permission"> = {}): Permission => ({
  permission,
  ...scope,
});
const inProject = granting("UPDATE_FEATURE_VARIANTS");
const inEnvironment = (environment: string, project = "default") =>
  granting("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project, environment });
const adminIn = (environment: string) => granting("ADMIN", { project: "default", environment });

const burgee = useBurgee();
let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { tags: [tag("kept")] });
});

describe("a variant patch", () => {
  const inTwo = ["development", "production"];

  it.each<[string, Permission[], refused: string[]]>([
    ["both permissions", [inProject, granting("UPDATE_FEATURE_ENVIRONMENT_VARIANTS")], []],
    ["each environment's by itself", [inProject, ...inTwo.map((each) => inEnvironment(each))], []],
    ["ADMIN in each environment", [inProject, ...inTwo.map(adminIn)], []],
    ["the environments' alone", inTwo.map(adminIn), ["UPDATE_FEATURE_VARIANTS in project"]],
    ["the project's alone", [inProject], inTwo],
    ["the first environment's alone", [inProject, inEnvironment("development")], ["production"]],
    ["that of another project", [inProject, ...inTwo.map((each) => inEnvironment(each, "other"))], inTwo],
    ["ADMIN in one environment", [inProject, adminIn("production")], ["development"]],
  ])(
    "with %s is applied, or returns 403 that names each %j, and writes nothing",
    async (_, permissions, names) => {
      const key = await burgee.keyWith(...permissions);

      const messages = names.map((name) => naming(name, 'project "default"'));
      const inPath = names[0]?.startsWith("UPDATE");
      const details = inPath ? undefined : missingDetails(...messages);
      const refusal = noAccess({ message: messages[0], details });
      for (const each of names.length > 0 ? [[], [remove("/9")], patch] : [patch]) {
        const answer = await burgee.patchVariants(feature, each, { key });
        expect(answer).toEqual(names.length > 0 ? refusal : patchedTo([variant("blue")]));
      }
      expect(burgee.writes()).toEqual(names.length > 0 ? [] : inTwo);
    },
  );

  it("needs the permission in the feature's environments: others of the project do not count", async () => {
    const key = await burgee.keyWith(inProject, inEnvironment("development"));
    const inOne = await addFeature(burgee, { environments: { development: [] } });
    const inNone = await addFeature(burgee, { environments: {} });

    expect(await burgee.patchVariants(inOne, patch, { key })).toEqual(patchedTo([variant("blue")]));
    expect(await burgee.patchVariants(inNone, patch, { key })).toEqual(unchanged([]));
  });

  it("names the first environment alone where the list of all would exceed what Lambda can return", async () => {
    // Each character takes seven bytes in Lambda's response.
    const project = "\u0001".repeat(1000);
    const environments = Object.fromEntries(times(680, (index) => [`e${index}`.padEnd(300, "\u0001"), []]));
    const feature = await addFeature(burgee, { project, environments });
    const key = await burgee.keyWith(inProject);

    const answer = await burgee.patchVariants(feature, patch, { project, key });

    expect(answer).toEqual(noAccess({ message: naming("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", "e0") }));
  });
});

describe("a tag update", () => {
  it.each([
    ["of tags", update, {}],
    ["of none", { addedTags: [], removedTags: [] }, {}],
    ["with another ETag", update, { headers: { "if-match": '"other"' } }],
  ])(
    "%s returns 404 with the project in another letter case, as of no feature, and writes nothing",
    async (_, json, options) => {
      const key = await burgee.keyWith(granting("UPDATE_FEATURE", { project: "Default" }));

      const answer = await burgee.putTags(feature, json, { key, ...options });

      const { json: ofNone } = await burgee.putTags("missing", json, { key, ...options });
      expect(answer).toEqual(notFound());
      expect(answer.json.message).toBe(ofNone.message?.replace("missing", feature));
      expect((await burgee.getTags(feature)).json.tags).toEqual([tag("kept")]);
    },
  );

  it("is made with UPDATE_FEATURE in several projects, this one among them", async () => {
    const projects = ["other", "default"].map((project) => granting("UPDATE_FEATURE", { project }));
    const key = await burgee.keyWith(...projects);

    expect(await burgee.putTags(feature, update, { key })).toEqual(
      tagged(feature, [tag("kept"), tag("team")]),
    );
  });
});

const malformed = { body: "{" };
const malformedText = { ...malformed, headers: { "content-type": "text/plain" } };
const largeText = { ...malformedText, body: "{".repeat(262_145) };

type KeyName = "none" | "elsewhere" | "reading" | "development" | "here";
type Row = [
  what: string,
  key: KeyName,
  feature: "missing" | "stored",
  options: Partial<Request>,
  status: number,
];
let keys: Record<KeyName, string | null>;

beforeAll(async () => {
  await addFeature(burgee, { name: "stored" });
  keys = {
    none: null,
    elsewhere: await burgee.keyWith(
      { permission: "UPDATE_FEATURE_VARIANTS", project: "other" },
      { permission: "UPDATE_FEATURE", project: "other" },
    ),
    reading: await burgee.keyWith(
      { permission: "READ", project: "default" },
      { permission: "UPDATE_FEATURE", project: "other" },
    ),
    development: await burgee.keyWith(
      { permission: "UPDATE_FEATURE_VARIANTS", project: "default" },
      { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "development" },
    ),
    here: await burgee.keyWith({ permission: "ADMIN", project: "default" }),
  };
});

describe("a variant patch reports first", () => {
  const impossible = [{ op: "remove", path: "/99" }];
  const nonconforming = [{ op: "test", path: "/99" }];

  it.each<Row>([
    ["no valid key", "none", "missing", largeText, 401],
    ["what the path forbids", "elsewhere", "missing", largeText, 403],
    ["the size", "development", "missing", largeText, 413],
    ["the media type", "development", "missing", malformedText, 415],
    ["the JSON", "development", "missing", malformed, 400],
    ["the schema", "development", "missing", { json: nonconforming }, 400],
    ["a missing feature", "development", "missing", { json: impossible }, 404],
    ["a forbidden environment", "development", "stored", { json: impossible }, 403],
    ["what the patch does", "here", "stored", { json: impossible }, 400],
    ["nothing", "here", "stored", { json: [] }, 200],
  ])("%s", async (_, key, feature, { json, ...options }, status) => {
    expect((await burgee.patchVariants(feature, json, { key: keys[key], ...options })).status).toBe(status);
  });
});

describe("a tag update reports first", () => {
  const nonconforming = { addedTags: [tag("x")], removedTags: [] };
  const update = { addedTags: [tag("team")], removedTags: [] };

  it.each<Row>([
    ["no valid key", "none", "missing", largeText, 401],
    ["a key that may update features in no project", "development", "missing", largeText, 403],
    ["the size", "elsewhere", "missing", largeText, 413],
    ["the media type", "elsewhere", "missing", malformedText, 415],
    ["the JSON", "elsewhere", "missing", malformed, 400],
    ["the schema", "elsewhere", "missing", { json: nonconforming }, 400],
    ["a missing feature", "elsewhere", "missing", { json: update }, 404],
    ["a feature that the key may not read", "elsewhere", "stored", { json: update }, 404],
    ["the feature's project", "reading", "stored", { json: update }, 403],
    ["nothing", "here", "stored", { json: update }, 201],
  ])("%s", async (_, key, feature, { json, ...options }, status) => {
    expect((await burgee.putTags(feature, json, { key: keys[key], ...options })).status).toBe(status);
  });
});
