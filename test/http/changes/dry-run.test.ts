/** `?dryRun=true`: what a patch or a tag update would do. How the parameter is written: ../protocol/paths.test.ts */
import { describe, expect, it } from "vitest";
import type { Permission } from "../../../lib/access/permissions.ts";
import {
  detailsOf,
  everyAnswer,
  invalid,
  issuesAt,
  missingDetails,
  naming,
  noAccess,
  withTags,
  withVariants,
} from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, move, remove, replace, replaced, times } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const blue = variant("blue");
const [halfBlue, halfRed] = [variant("blue", { weight: 500 }), variant("red", { weight: 500 })];
const { name: _, ...redWithoutName } = halfRed;
const dryRun = true;
const noTags = { addedTags: [], removedTags: [] };
const dryRunByName = { query: "by=name&dryRun=true" };

const burgee = useBurgee();

describe("a dry run of a patch returns 200, and writes nothing:", () => {
  it("each environment's result, and the JSON Patch that leads there", async () => {
    const environments = { development: [blue], staging: [], production: [halfBlue, halfRed] };
    const feature = await addFeature(burgee, { environments });
    const etag = await burgee.etag(feature);

    const answer = await burgee.patchVariants(feature, [add("/1", { name: "red", weight: 0 })], { dryRun });

    const variants = [halfBlue, halfRed];
    expect(answer).toEqual({
      status: 200,
      headers: {
        ...everyAnswer,
        etag,
        "burgee-environments": "development=would patch, staging=failed, production=failed",
      },
      json: {
        ...withVariants(variants),
        environments: [
          {
            environment: "development",
            outcome: "would patch",
            variants,
            difference: [replaced("/variants/blue/weight", 500, 1000), add("/variants/red", redWithoutName)],
            moves: [],
          },
          { environment: "staging", outcome: "failed", variants: [], message: naming("operation 0") },
          {
            environment: "production",
            outcome: "failed",
            variants,
            message: naming("unique"),
            issues: issuesAt("/2/name"),
          },
        ],
      },
    });
    expect(burgee.writes()).toEqual([]);
    expect(await burgee.etag(feature)).toBe(etag);
  });

  it("by name, with a difference that leads there when it is sent", async () => {
    const feature = await addFeature(burgee, { environments: { production: [halfBlue, halfRed] } });
    const operations = [move("/blue", "/azure"), replace("/red/stickiness", "userId")];

    const { json } = await burgee.patchVariants(feature, operations, dryRunByName);
    const [production] = json.environments;
    const sent = await burgee.patchFeature(feature, production.difference);

    expect(production).toMatchObject({ environment: "production", outcome: "would patch" });
    expect(production.difference).toEqual([
      remove("/variants/blue"),
      add("/variants/azure", { weight: 500, weightType: "variable", stickiness: "default" }),
      replaced("/variants/red/stickiness", "userId", "default"),
    ]);
    expect(sent.json.environments[0].variants).toEqual(production.variants);
  });

  it("no difference and no moves where the change of a retry is stored already", async () => {
    const feature = await addFeature(burgee, { environments: { production: [blue] }, enabled: true });
    const red = [add("/red", { weight: 100, weightType: "fix" })];
    const headers = { "idempotency-key": "k" };
    await burgee.patchVariants(feature, red, { headers, query: "by=name" });

    const { json } = await burgee.patchVariants(feature, red, { headers, ...dryRunByName });

    expect(json.environments).toMatchObject([{ outcome: "already patched", difference: [], moves: [] }]);
    expect(log.at(-1)).toMatchObject({ dryRun: true, moves: 0 });
  });

  it("and is marked in the log", async () => {
    await burgee.patchVariants(await addFeature(burgee), [], { dryRun });

    expect(log.at(-1)).toMatchObject({ dryRun: true, status: 200 });
    expect(log.at(-1)).not.toHaveProperty("change");
  });
});

describe("a dry run with a key that may not send the request", () => {
  const inProject = { permission: "UPDATE_FEATURE_VARIANTS" } as const;
  const inEnvironment = (environment: string) =>
    ({ permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment }) as const;
  const strict = { dryRun, headers: { prefer: "handling=strict" } };

  it.each<[string, Permission[], string, unknown[]]>([
    ["READ", [{ permission: "READ" }], "", [inProject, ...["development", "production"].map(inEnvironment)]],
    [
      "the permissions in development",
      [inProject, inEnvironment("development")],
      "",
      [inEnvironment("production")],
    ],
    ["READ, in one environment", [{ permission: "READ" }], "production", [inEnvironment("production")]],
  ])("shows what it would do, and what the key lacks: %s", async (_, permissions, environment, missing) => {
    const feature = await addFeature(burgee, { environments: { development: [blue], production: [blue] } });
    const key = await burgee.keyWith(...permissions);
    const place = environment === "" ? {} : { environment };

    const { status, json } = await burgee.patchVariants(feature, [add("/-", { name: "red", weight: 0 })], {
      ...place,
      dryRun,
      key,
    });

    expect([status, json.missingPermissions]).toEqual([200, missing]);
    expect(json.environments.map(({ outcome }: { outcome: string }) => outcome)).not.toContain("failed");
    expect(burgee.writes()).toEqual([]);
  });

  it("is refused with handling=strict as the patch is", async () => {
    const feature = await addFeature(burgee);
    const key = await burgee.keyWith(inProject, inEnvironment("development"));
    const message = naming("production");

    const headers = { "preference-applied": "handling=strict" };
    const refusal = { headers, message, details: missingDetails(message) };
    expect(await burgee.patchVariants(feature, [], { ...strict, key })).toEqual(noAccess(refusal));
  });

  it("reads the tags, where it may read at all", async () => {
    const feature = await addFeature(burgee, { tags: [tag("kept")] });
    const read: Permission = { permission: "READ", project: "default" };
    const reader = await burgee.keyWith(read);
    const writerElsewhere = await burgee.keyWith(read, { permission: "UPDATE_FEATURE", project: "other" });
    const other = await burgee.keyWith({ permission: "READ", project: "other" });

    const missingPermissions = [{ permission: "UPDATE_FEATURE" }];
    for (const key of [reader, writerElsewhere]) {
      const { status, json } = await burgee.putTags(feature, noTags, { dryRun, key });

      expect([status, json]).toEqual([200, { ...withTags([tag("kept")]), missingPermissions }]);
      expect((await burgee.putTags(feature, noTags, { ...strict, key })).status).toBe(403);
      expect((await burgee.putTags(feature, noTags, { key })).status).toBe(403);
    }
    expect((await burgee.putTags(feature, noTags, { dryRun, key: other })).status).toBe(404);
    const writer = await burgee.keyWith({ permission: "UPDATE_FEATURE", project: "default" });
    const allowed = await burgee.putTags(feature, noTags, { ...strict, key: writer });
    expect([allowed.status, allowed.json]).toEqual([200, withTags([tag("kept")])]);
  });
});

describe("Prefer: handling=strict on the patch itself", () => {
  const headers = { prefer: "handling=strict" };
  const environments = { development: [blue], staging: [], production: [] };
  const operations = [replace("/0/stickiness", "userId")];

  it("writes nowhere if the patch would fail in any environment", async () => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patchVariants(feature, operations, { headers });

    const failed = { message: naming("there is no index 0") };
    expect(answer).toEqual(
      invalid({
        headers: { "preference-applied": "handling=strict" },
        message: naming("staging", "operation 0"),
        details: detailsOf({ development: "not attempted", staging: failed, production: failed }),
      }),
    );
    expect(burgee.writes()).toEqual([]);
  });

  it("says that an earlier attempt has patched an environment", async () => {
    const feature = await addFeature(burgee, { environments });
    const key = { "idempotency-key": "one" };
    await burgee.patchVariants(feature, operations, { headers: key });

    const { headers: sent, json } = await burgee.patchVariants(feature, operations, {
      headers: { ...headers, ...key },
    });

    expect(json.details[0]).toMatchObject({ environment: "development", outcome: "already patched" });
    expect(sent).toHaveProperty("burgee-change");
  });

  it("writes everywhere if it would not, with the same calls", async () => {
    const feature = await addFeature(burgee, { environments: { development: [blue], production: [blue] } });
    burgee.wire.reset();

    const answer = await burgee.patchVariants(feature, operations, { headers });

    expect([answer.status, answer.headers["preference-applied"]]).toEqual([200, "handling=strict"]);
    expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual([
      "Query",
      "UpdateItem",
      "UpdateItem",
    ]);
  });
});

it("a dry run with a response of more than 1 MB returns 400, although the patch, or a dry run of one environment, is accepted", async () => {
  const names = ["development", "qa", "staging", "production"];
  const environments = Object.fromEntries(names.map((name) => [name, []]));
  const feature = await addFeature(burgee, { environments });
  const value = "a".repeat(150_000);
  const patch = [add("/-", { name: "large", weight: 0, payload: { type: "string", value } })];
  const tooLarge = "The response would be larger than 1 MB; send the request for one environment";

  expect(await burgee.patchVariants(feature, patch, { dryRun })).toEqual(invalid({ message: tooLarge }));
  const inOne = { environment: "production", dryRun };
  expect((await burgee.patchVariants(feature, patch, inOne)).status).toBe(200);
  expect((await burgee.patchVariants(feature, patch)).status).toBe(200);
});

it("a dry run of one environment with a response of more than 1 MB does not advise to name one", async () => {
  const value = "\u0001".repeat(180_000);
  const large = variant("large", { payload: { type: "string", value } });
  const feature = await addFeature(burgee, { environments: { production: [large] } });
  const patch = [add("/-", { name: "small", weight: 0 })];

  const answer = await burgee.patchVariants(feature, patch, { environment: "production", dryRun });

  const message = "The response would be larger than 1 MB; the write itself may have a response of 6 MB";
  expect(answer).toEqual(invalid({ message }));
});

it("a strict dry run whose error would have more than 1 MB returns the error without its details", async () => {
  const names = times(8, (index) => `environment-${index}`);
  const feature = await addFeature(burgee, {
    environments: Object.fromEntries(names.map((one) => [one, []])),
  });
  const members = times(100, (index) => [String(index).padEnd(450, '"'), 0]);
  const patch = [add("/-", { name: "a", weight: 0, ...Object.fromEntries(members) })];

  const answer = await burgee.patchVariants(feature, patch, {
    dryRun,
    headers: { prefer: "handling=strict" },
  });

  expect(answer).toEqual(
    invalid({ headers: { "preference-applied": "handling=strict" }, message: naming("environment-0") }),
  );
});

describe("a dry run of a patch that would fail", () => {
  const environments = { development: [blue], staging: [], production: [blue] };
  const operations = [replace("/blue/stickiness", "userId")];
  const strict = { prefer: "handling=strict" };

  it.each([
    ["in the middle", environments],
    ["at first", { development: [], production: [blue] }],
  ])("%s has the response of the patch with Prefer: handling=strict", async (_, environments) => {
    const feature = await addFeature(burgee, { environments });

    const preview = await burgee.patchVariants(feature, operations, { ...dryRunByName, headers: strict });
    const writes = burgee.writes();
    const real = await burgee.patchVariants(feature, operations, { query: "by=name", headers: strict });

    expect(writes).toEqual([]);
    expect(preview).toEqual({ ...real, json: { ...real.json, id: expect.any(String) } });
    expect(preview.status).toBe(400);
  });

  it.each([
    ['handling="strict"', 400],
    ["Handling = Strict; x=1, ", 400],
    ["handling=lenient", 200],
    ['handling=lenient; x="a, handling=strict, b"', 200],
    ['handling=lenient; x="a\\", handling=strict, b"', 200],
    ["handling=lenient, handling=strict", 200],
    [" , ", 200],
  ])("with Prefer: %s returns %i", async (prefer, expected) => {
    const feature = await addFeature(burgee, { environments });

    const { status } = await burgee.patchVariants(feature, operations, {
      ...dryRunByName,
      headers: { prefer },
    });

    expect(status).toBe(expected);
  });
});

it.each([
  "handling=strct",
  "handling",
  "=strict",
  ";handling=strict",
  "handling=lenient, ; handling=strict",
  "handeling=strict",
  "respond-async, handling=strict",
  "wait=1, handling=strct",
  'handling="a, b"',
])("refuses a patch with Prefer: %s, and writes nothing", async (prefer) => {
  const feature = await addFeature(burgee);

  const { status, json } = await burgee.patchVariants(feature, [], { headers: { prefer } });

  expect({ status, message: json.message }).toEqual({
    status: 400,
    message: "Prefer must be handling=strict or handling=lenient",
  });
  expect(burgee.writes()).toEqual([]);
});

it("a dry run of a tag update returns all tags that the feature would have, and writes nothing", async () => {
  const feature = await addFeature(burgee, { tags: [tag("there"), tag("gone")] });
  const update = {
    addedTags: [tag("new"), tag("there"), tag("both")],
    removedTags: [tag("gone"), tag("both"), tag("absent")],
  };

  const answer = await burgee.putTags(feature, update, { dryRun });

  expect(answer).toEqual({
    status: 200,
    headers: { ...everyAnswer, etag: expect.stringMatching(/^"[\w-]{16}"$/) },
    json: withTags([tag("new"), tag("there")]),
  });
  expect(burgee.writes()).toEqual([]);
  expect((await burgee.getTags(feature)).json.tags).toEqual([tag("gone"), tag("there")]);
});
