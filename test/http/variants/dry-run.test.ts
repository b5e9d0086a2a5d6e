/** `?dryRun=true`: what a patch or a tag update would do. How the parameter is written: ../protocol/query.test.ts */
import { describe, expect, it } from "vitest";
import { everyAnswer, invalid, naming, noAccess, tagsEtag } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, move, replace } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const blue = variant("blue");
const [halfBlue, halfRed] = [variant("blue", { weight: 500 }), variant("red", { weight: 500 })];
const dryRun = true;
const dryRunByName = { query: "by=name&dryRun=true" };

const burgee = useBurgee();

describe("a dry run of a patch returns 200, and writes nothing:", () => {
  it("each environment's result, and the JSON Patch that leads there", async () => {
    const environments = { development: [blue], staging: [], production: [halfBlue, halfRed] };
    const feature = await addFeature(burgee, { environments });
    const etag = await burgee.etag(feature);

    const answer = await burgee.patch(feature, [add("/1", { name: "red", weight: 0 })], { dryRun });

    const variants = [halfBlue, halfRed];
    expect(answer).toEqual({
      status: 200,
      headers: {
        ...everyAnswer,
        etag,
        "burgee-environments": "development=patched, staging=failed, production=failed",
      },
      json: {
        version: 1,
        variants,
        environments: [
          {
            environment: "development",
            outcome: "patched",
            variants,
            changes: [replace("/0/weight", 500), add("/1", halfRed)],
          },
          { environment: "staging", outcome: "failed", variants: [], message: naming("operation 0") },
          { environment: "production", outcome: "failed", variants, message: naming("unique") },
        ],
      },
    });
    expect(burgee.writes()).toEqual([]);
    expect(await burgee.etag(feature)).toBe(etag);
  });

  it("by name, with changes by name that lead there when they are sent", async () => {
    const feature = await addFeature(burgee, { environments: { production: [halfBlue, halfRed] } });
    const operations = [move("/blue", "/azure"), replace("/red/stickiness", "userId")];

    const { json } = await burgee.patch(feature, operations, dryRunByName);
    const [production] = json.environments;
    const sent = await burgee.patch(feature, production.changes, { query: "by=name" });

    expect(production).toMatchObject({ environment: "production", outcome: "patched" });
    expect(production.changes).toEqual([
      { op: "remove", path: "/blue" },
      { op: "add", path: "/azure", value: { weight: 500, weightType: "variable", stickiness: "default" } },
      { op: "replace", path: "/red/stickiness", value: "userId" },
    ]);
    expect(sent.json.variants).toEqual(production.variants);
  });

  it("and is marked in the log", async () => {
    await burgee.patch(await addFeature(burgee), [], { dryRun });

    expect(log.at(-1)).toMatchObject({ dryRun: true, status: 200 });
    expect(log.at(-1)).not.toHaveProperty("change");
  });
});

describe("a weight that a patch sets on a variable variant, and that has no effect,", () => {
  const { name: _, ...fixed } = variant("red", { weightType: "fix", weight: 250 });

  it.each([
    ["a variant that was there", replace("/blue/weight", 250), 'weight 250 of variant "blue"'],
    ["a new variant", add("/red", { weight: 250 }), 'weight 250 of variant "red"'],
    ["a new variant of weight 0", add("/red", { weight: 0 }), undefined],
    ["a fix variant", add("/red", fixed), undefined],
    ["a variant that is renamed", move("/blue", "/azure"), undefined],
    ["the weight that the variant gets", replace("/blue/weight", 1000), undefined],
    ["another field", replace("/blue/stickiness", "userId"), undefined],
  ])("is named in a hint of the dry run: %s", async (_, operation, named) => {
    const feature = await addFeature(burgee, { environments: { development: [blue] } });

    const { json } = await burgee.patch(feature, [operation], dryRunByName);

    const hint = expect.stringMatching(`^The ${named} has no effect: .* set weightType to fix`);
    expect(json.environments[0].outcome).not.toBe("failed");
    expect(json.environments[0].hint).toEqual(named && hint);
  });

  it("has a hint in the environment where it is so, by name too, and none in the response of the patch", async () => {
    const environments = {
      development: [blue],
      production: [variant("blue", { weight: 250 }), variant("red", { weight: 750, weightType: "fix" })],
    };
    const feature = await addFeature(burgee, { environments });
    const operations = [replace("/blue/weight", 250)];

    const { json } = await burgee.patch(feature, operations, dryRunByName);
    const patched = await burgee.patch(feature, operations, { query: "by=name" });

    const hints = json.environments.map(({ hint }: { hint?: string }) => hint);
    expect(hints).toEqual([expect.stringContaining('variant "blue"'), undefined]);
    expect(patched.json).not.toHaveProperty("environments");
  });
});

it("a dry run of a patch is refused for a missing permission in any environment, as the patch is", async () => {
  const feature = await addFeature(burgee);
  const key = await burgee.keyWith(
    { permission: "UPDATE_FEATURE_VARIANTS" },
    { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", environment: "development" },
  );

  const answer = await burgee.patch(feature, [], { dryRun, key });

  const message = naming("production");
  expect(answer).toEqual(noAccess({ message, details: [{ message }] }));
});

it("a dry run whose response Lambda would not accept returns 400, although the patch itself is accepted", async () => {
  const feature = await addFeature(burgee, { environments: { development: [] } });
  const value = "\u0001".repeat(42_000);
  const others = Array.from({ length: 8 }, (_, index) => [
    { op: "copy", from: "/0", path: "/-" },
    replace(`/${index + 1}/name`, `v${index + 1}`),
  ]);
  const patch = [add("/-", { name: "v0", weight: 0, payload: { type: "string", value } }), ...others.flat()];

  expect(await burgee.patch(feature, patch, { dryRun })).toEqual(invalid({ message: naming("6 MB") }));
  expect((await burgee.patch(feature, patch)).status).toBe(200);
});

describe("a dry run of a patch that would fail", () => {
  const environments = { development: [blue], staging: [], production: [blue] };
  const operations = [replace("/blue/stickiness", "userId")];
  const strict = { prefer: "handling=strict" };

  it("has the response of the patch with Prefer: handling=strict", async () => {
    const feature = await addFeature(burgee, { environments });

    const preview = await burgee.patch(feature, operations, { ...dryRunByName, headers: strict });
    const writes = burgee.writes();
    const real = await burgee.patch(feature, operations, { query: "by=name" });

    expect(writes).toEqual([]);
    const { "burgee-change": change, ...headers } = real.headers;
    expect(change).toBeDefined();
    expect(preview).toEqual({ ...real, headers, json: { ...real.json, id: expect.any(String) } });
    expect(preview.status).toBe(400);
  });

  it.each([
    ['handling="strict"', 400],
    ["respond-async, Handling = Strict; x=1", 400],
    ["handling=lenient", 200],
    ['x="a, handling=strict, b"', 200],
    ['x="a\\", handling=strict, b"', 200],
    ["handling=lenient, handling=strict", 200],
  ])("with Prefer: %s returns %i", async (prefer, expected) => {
    const feature = await addFeature(burgee, { environments });

    const { status } = await burgee.patch(feature, operations, { ...dryRunByName, headers: { prefer } });

    expect(status).toBe(expected);
  });

  it("and succeeds reports that the preference was applied", async () => {
    const feature = await addFeature(burgee, { environments: { development: [blue] } });

    const { status, headers } = await burgee.patch(feature, operations, { ...dryRunByName, headers: strict });

    expect([status, headers["preference-applied"]]).toEqual([200, "handling=strict"]);
  });
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
    headers: { ...everyAnswer, etag: tagsEtag },
    json: { version: 1, tags: [tag("new"), tag("there")] },
  });
  expect(burgee.writes()).toEqual([]);
  expect((await burgee.getTags(feature)).json.tags).toEqual([tag("gone"), tag("there")]);
});
