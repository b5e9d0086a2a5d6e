/** Each request has every error of the rows after its own, and one more: that one is reported. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Request, useBurgee } from "../../support/burgee.ts";
import { addFeature, tag } from "../../support/seed.ts";

const malformed = { body: "{" };
const malformedText = { ...malformed, headers: { "content-type": "text/plain" } };
const largeText = { ...malformedText, body: "{".repeat(262_145) };

type KeyName = "none" | "elsewhere" | "development" | "here";
type Row = [
  what: string,
  key: KeyName,
  feature: "missing" | "stored",
  options: Partial<Request>,
  status: number,
];

const burgee = useBurgee();
let keys: Record<KeyName, string | null>;

beforeAll(async () => {
  await addFeature(burgee, { name: "stored" });
  keys = {
    none: null,
    elsewhere: await burgee.keyWith(
      { permission: "UPDATE_FEATURE_VARIANTS", project: "other" },
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
    expect((await burgee.patch(feature, json, { key: keys[key], ...options })).status).toBe(status);
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
    ["the feature's project", "elsewhere", "stored", { json: update }, 403],
    ["nothing", "here", "stored", { json: update }, 201],
  ])("%s", async (_, key, feature, { json, ...options }, status) => {
    expect((await burgee.putTags(feature, json, { key: keys[key], ...options })).status).toBe(status);
  });
});
