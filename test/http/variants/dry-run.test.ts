import { describe, expect, it } from "vitest";
import {
  everyAnswer,
  invalid,
  naming,
  noAccess,
  notFound,
  refused,
  tagsEtag,
} from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, replace, times } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const blue = variant("blue");
const dryRun = true;

const burgee = useBurgee();

const writes = () => burgee.wire.calls.filter(({ operation }) => !/^(GetItem|Query)$/.test(operation));

describe("a dry run of a patch answers 200, and writes nothing:", () => {
  it("of every environment what it would be, and the JSON Patch from what it is to that", async () => {
    const environments = {
      development: [blue],
      staging: [],
      production: [variant("blue"), variant("red")].map(half),
    };
    const feature = await addFeature(burgee, { environments });
    const { headers } = await burgee.getVariants(feature);
    const before = await stored(feature, Object.keys(environments));
    const red = { name: "red", weight: 1 };

    const answer = await burgee.patch(feature, [add("/1", red)], { dryRun });

    const halves = [variant("blue"), variant("red")].map(half);
    expect(answer).toEqual({
      status: 200,
      headers: {
        ...everyAnswer,
        etag: headers.etag,
        "burgee-environments": "development=patched, staging=failed, production=failed",
      },
      json: {
        version: 1,
        variants: halves,
        environments: [
          {
            environment: "development",
            outcome: "patched",
            variants: halves,
            changes: [replace("/0/weight", 500), add("/1", half(variant("red")))],
          },
          { environment: "staging", outcome: "failed", variants: [], message: naming("operation 0") },
          { environment: "production", outcome: "failed", variants: halves, message: naming("unique") },
        ],
      },
    });
    expect(writes()).toEqual([]);
    expect(await stored(feature, Object.keys(environments))).toEqual(before);
  });

  it("of an empty patch every environment as it is", async () => {
    const feature = await addFeature(burgee, { environments: { development: [], production: [blue] } });

    const { json } = await burgee.patch(feature, [], { dryRun });

    expect(json).toEqual({
      version: 1,
      variants: [],
      environments: [
        { environment: "development", outcome: "unchanged", variants: [], changes: [] },
        { environment: "production", outcome: "unchanged", variants: [blue], changes: [] },
      ],
    });
  });

  it("of one environment, that one", async () => {
    const feature = await addFeature(burgee, { environments: { development: [], production: [blue] } });
    const environment = "production";

    const { json } = await burgee.patch(feature, [add("/0/stickiness", "userId")], { environment, dryRun });

    const variants = [variant("blue", { stickiness: "userId" })];
    const changes = [replace("/0/stickiness", "userId")];
    expect(json).toEqual({
      version: 1,
      variants,
      environments: [{ environment, outcome: "patched", variants, changes }],
    });
  });

  it("what would not fit in an item fails as it would for real", async () => {
    const feature = await addFeature(burgee, { environments: { development: [blue] } });
    const value = { ...blue, payload: { type: "string", value: "x".repeat(200_000) } };
    await burgee.patch(feature, [add("", [{ ...value, name: "first" }])]);
    const patch = [
      add("/-", { ...value, name: "second", payload: { type: "string", value: "x".repeat(215_000) } }),
    ];

    const dry = await burgee.patch(feature, patch, { dryRun });
    const real = await burgee.patch(feature, patch);

    const message = naming("400 KB");
    expect(dry.json.environments).toMatchObject([{ environment: "development", outcome: "failed", message }]);
    expect(real).toEqual(
      invalid({ message, details: [{ environment: "development", outcome: "failed", message }] }),
    );
  });

  it("and the log says that it was one", async () => {
    await burgee.patch(await addFeature(burgee), [], { dryRun });

    expect(log.at(-1)).toMatchObject({ dryRun: true, status: 200 });
    expect(log.at(-1)).not.toHaveProperty("write");
  });
});

describe("a dry run is judged as for real:", () => {
  it.each([
    ["the body", { json: [{ op: "test", path: "" }] }, invalid({ details: expect.anything() })],
    ["the feature", { feature: "nothing" }, notFound()],
    [
      "if-match",
      { headers: { "if-match": '"other"' } },
      refused(412, "PreconditionFailed", { headers: { etag: expect.any(String) } }),
    ],
  ])("%s", async (_, { feature, json = [], ...options }: Record<string, unknown>, refusal) => {
    const name = typeof feature === "string" ? feature : await addFeature(burgee);

    expect(await burgee.patch(name, json, { dryRun, ...options })).toEqual(refusal);
  });

  it("permissions in every environment", async () => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(
      { permission: "UPDATE_FEATURE_VARIANTS" },
      { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "development" },
    );

    const answer = await burgee.patch(feature, [], { dryRun, key });

    expect(answer).toEqual(
      noAccess({ message: naming("production"), details: [{ message: naming("production") }] }),
    );
  });

  it("a database that does not answer is a 503, not an outcome", async () => {
    const feature = await addFeature(burgee);
    await burgee.patch(feature, []);
    burgee.wire.decide(() => ({ error: "ThrottlingException" }));

    const answer = await burgee.patch(feature, [], { dryRun, timeoutMs: 600 });

    expect(answer.status).toBe(503);
  });
});

describe("a dry run of a tag update answers 200, and writes nothing:", () => {
  const putDry = (feature: string, json: unknown, options = {}) =>
    burgee.putTags(feature, json, { path: `/api/admin/features/${feature}/tags?dryRun=true`, ...options });

  it("all tags that the feature would have", async () => {
    const feature = await addFeature(burgee, { tags: [tag("there"), tag("gone")] });

    const answer = await putDry(feature, {
      addedTags: [tag("new"), tag("there"), tag("both")],
      removedTags: [tag("gone"), tag("both"), tag("absent")],
    });

    const tags = [tag("new"), tag("there")];
    expect(answer).toEqual({
      status: 200,
      headers: { ...everyAnswer, etag: tagsEtag },
      json: { version: 1, tags },
    });
    expect(writes()).toEqual([]);
    expect((await burgee.getTags(feature)).json.tags).toEqual([tag("gone"), tag("there")]);
  });

  it("404 for an unknown feature, 403 in a project that the key is not for", async () => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith({ permission: "UPDATE_FEATURE", project: "other" });
    const nothing = { addedTags: [], removedTags: [] };

    expect(await putDry("nothing", nothing)).toEqual(notFound());
    expect(await putDry(feature, nothing, { key })).toEqual(noAccess());
  });

  it("400 where the tags would not fit in an item", async () => {
    const long = (at: number) => tag(`${at}`.padEnd(50, "v"), `${at}`.padEnd(50, "t"));
    const adding = (from: number) => ({ addedTags: times(100, (at) => long(from + at)), removedTags: [] });
    const feature = await addFeature(burgee, { tags: times(3400, long) });
    for (const from of [3400, 3500, 3600]) await burgee.putTags(feature, adding(from));

    const dry = await putDry(feature, adding(3700));
    const real = await burgee.putTags(feature, adding(3700));

    expect([dry, real]).toEqual(Array(2).fill(invalid({ message: naming(feature, "400 KB") })));
  });
});

describe("dryRun", () => {
  it.each(["false", "true"])("may be %s", async (value) => {
    const feature = await addFeature(burgee, { environments: { development: [] } });
    const path = `/api/admin/projects/default/features/${feature}/variants?dryRun=${value}`;

    await burgee.send({ method: "PATCH", path, json: [add("/-", blue)] });

    const { revision } = await burgee.storedEnvironment(feature, "development");
    expect(revision).toBe(value === "true" ? 1 : 2);
  });

  it.each([
    "dryRun",
    "dryRun=",
    "dryRun=1",
    "dryRun=TRUE",
    "dryRun=true&dryRun=true",
    "dryrun=true",
    "dry-run=true",
    "dry_run",
  ])("written as %s is refused with 400, and nothing is written", async (query) => {
    const feature = await addFeature(burgee, { environments: { development: [] } });
    const path = `/api/admin/projects/default/features/${feature}/variants?${query}`;

    const answer = await burgee.send({ method: "PATCH", path, json: [add("/-", blue)] });

    expect(answer).toEqual(invalid({ message: naming("dryRun") }));
    expect(writes()).toEqual([]);
  });
});

async function stored(feature: string, environments: readonly string[]) {
  return Promise.all(environments.map((environment) => burgee.storedEnvironment(feature, environment)));
}

function half<Value extends object>(value: Value) {
  return { ...value, weight: 500 };
}
