/** Each request has every fault that its successors have, and one more: that one is answered. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Request, useBurgee } from "../../support/burgee.ts";
import { addFeature, tag } from "../../support/seed.ts";

const malformed = "{";
const tooLarge = malformed.repeat(262_145);
const asText = { "content-type": "text/plain" };

const burgee = useBurgee();
let feature: string;

beforeAll(async () => {
  feature = await addFeature(burgee);
});

describe("of several issues of a variant patch the first of this order is answered", () => {
  let keys: Record<"none" | "elsewhere" | "development" | "everything", string | null>;

  beforeAll(async () => {
    const inProject = { permission: "UPDATE_FEATURE_VARIANTS", project: "default" } as const;
    const inEnvironment = { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS" } as const;
    keys = {
      none: null,
      elsewhere: await burgee.keyWith({ permission: "UPDATE_FEATURE_VARIANTS", project: "other" }),
      development: await burgee.keyWith(inProject, { ...inEnvironment, environment: "development" }),
      everything: await burgee.keyWith(inProject, inEnvironment),
    };
  });

  const impossible = [{ op: "remove", path: "/99" }];
  const nonconforming = [{ op: "test", path: "/99" }];

  const order: [string, keyof typeof keys, string, Partial<Request>, number, string][] = [
    ["no valid key", "none", "missing", { body: tooLarge, headers: asText }, 401, "AuthenticationRequired"],
    [
      "what the path forbids",
      "elsewhere",
      "missing",
      { body: tooLarge, headers: asText },
      403,
      "NoAccessError",
    ],
    ["the size", "development", "missing", { body: tooLarge, headers: asText }, 413, "PayloadTooLarge"],
    [
      "the media type",
      "development",
      "missing",
      { body: malformed, headers: asText },
      415,
      "ContentTypeError",
    ],
    ["the JSON", "development", "missing", { body: malformed }, 400, "ValidationError"],
    ["the schema", "development", "missing", { json: nonconforming }, 400, "ValidationError"],
    ["a missing feature", "development", "missing", { json: impossible }, 404, "NotFoundError"],
    ["a refused environment", "development", "stored", { json: impossible }, 403, "NoAccessError"],
    ["what the patch does", "everything", "stored", { json: impossible }, 400, "ValidationError"],
    ["nothing", "everything", "stored", { json: [] }, 200, ""],
  ];

  it.each(order)("%s", async (_, key, target, { json, ...options }, status, name) => {
    const answer = await burgee.patch(target === "stored" ? feature : target, json, {
      key: keys[key],
      ...options,
    });

    expect(answer.status).toBe(status);
    expect(answer.json.name ?? "").toBe(name);
  });
});

describe("of several issues of a tag update the first of this order is answered", () => {
  let keys: Record<"none" | "nowhere" | "elsewhere" | "here", string | null>;

  beforeAll(async () => {
    keys = {
      none: null,
      nowhere: await burgee.keyWith({ permission: "UPDATE_FEATURE_VARIANTS" }),
      elsewhere: await burgee.keyWith({ permission: "UPDATE_FEATURE", project: "other" }),
      here: await burgee.keyWith({ permission: "UPDATE_FEATURE", project: "default" }),
    };
  });

  const nonconforming = { addedTags: [tag("x")], removedTags: [] };
  const update = { addedTags: [tag("team")], removedTags: [] };

  const order: [string, keyof typeof keys, string, Partial<Request>, number, string][] = [
    ["no valid key", "none", "missing", { body: tooLarge, headers: asText }, 401, "AuthenticationRequired"],
    [
      "a key that may update features in no project",
      "nowhere",
      "missing",
      { body: tooLarge, headers: asText },
      403,
      "NoAccessError",
    ],
    ["the size", "elsewhere", "missing", { body: tooLarge, headers: asText }, 413, "PayloadTooLarge"],
    ["the media type", "elsewhere", "missing", { body: malformed, headers: asText }, 415, "ContentTypeError"],
    ["the JSON", "elsewhere", "missing", { body: malformed }, 400, "ValidationError"],
    ["the schema", "elsewhere", "missing", { json: nonconforming }, 400, "ValidationError"],
    ["a missing feature", "elsewhere", "missing", { json: update }, 404, "NotFoundError"],
    ["the feature's project", "elsewhere", "stored", { json: update }, 403, "NoAccessError"],
    ["nothing", "here", "stored", { json: update }, 201, ""],
  ];

  it.each(order)("%s", async (_, key, target, { json, ...options }, status, name) => {
    const answer = await burgee.putTags(target === "stored" ? feature : target, json, {
      key: keys[key],
      ...options,
    });

    expect(answer.status).toBe(status);
    expect(answer.json.name ?? "").toBe(name);
  });
});
