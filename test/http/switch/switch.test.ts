/** On and off: beside the variants, with the same rules. */

import { beforeEach, describe, expect, it } from "vitest";
import type { Permission } from "../../../lib/access/permissions.ts";
import { naming } from "../../support/answers.ts";
import { type Place, useBurgee } from "../../support/burgee.ts";
import { add, replace, replaced } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const burgee = useBurgee();
const blue = [variant("blue")];
const environments = { development: blue, production: [variant("red")] };
let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { environments, tags: [tag("team-a")] });
});

const production = { environment: "production" };
const addGreen = [add("/green", { weight: 0 })];
const byName = "by=name";

/** Whether it is on, by environment. */
async function states(name = feature): Promise<object> {
  const { json } = await burgee.getFeature(name);
  return Object.fromEntries(
    json.environments.map((one: { environment: string; enabled: boolean }) => [one.environment, one.enabled]),
  );
}

const both = (enabled: boolean) => [
  { environment: "development", enabled },
  { environment: "production", enabled },
];

describe("a switch", () => {
  it("in every environment returns each, and leaves the variants alone", async () => {
    const { status, json, headers } = await burgee.switch(feature, "on");

    expect({ status, json }).toEqual({ status: 200, json: { version: 1, environments: both(true) } });
    expect(headers).toMatchObject({
      "burgee-environments": "development=patched, production=patched",
      "burgee-change": expect.stringMatching(/^[\w-]{11}$/),
      etag: await burgee.etag(feature),
    });
    expect(burgee.writes()).toEqual(["development", "production"]);
    expect((await burgee.storedEnvironment(feature, "production")).variants).toEqual(environments.production);
  });

  it("in one environment returns that one, and leaves the others alone", async () => {
    const { json } = await burgee.switch(feature, "on", production);

    expect(json).toEqual({ version: 1, environments: [{ environment: "production", enabled: true }] });
    expect(await states()).toEqual({ development: false, production: true });
  });

  it.each([
    ["no body", {}],
    ["an empty object", { json: {} }],
    ["no body and no type", { headers: { "content-type": "" } }],
  ])("takes %s", async (_, options) => {
    expect((await burgee.switch(feature, "on", options)).status).toBe(200);
  });

  it.each([
    ["another body", { json: { enabled: true } }, 400],
    ["a list", { json: [] }, 400],
    ["by=name", { query: byName }, 400],
    ["a misspelt option", { query: "dryrun=true" }, 400],
    ["another type", { body: "{}", headers: { "content-type": "text/plain" } }, 415],
  ])("refuses %s, and writes nothing", async (_, options, status) => {
    expect((await burgee.switch(feature, "on", options)).status).toBe(status);
    expect(burgee.writes()).toEqual([]);
  });

  it("writes nothing where it is so already", async () => {
    await burgee.switch(feature, "on", production);
    const etag = await burgee.etag(feature, production);
    burgee.wire.reset();

    const { status, headers, json } = await burgee.switch(feature, "on");

    expect(status).toBe(200);
    expect(json.environments).toEqual(both(true));
    expect(headers["burgee-environments"]).toBe("development=patched, production=unchanged");
    expect(burgee.writes()).toEqual(["development"]);
    expect(await burgee.etag(feature, production)).toBe(etag);
    expect((await burgee.switch(feature, "on")).headers["burgee-change"]).toBeUndefined();
  });

  it.each([
    ["an unknown feature", "nothing", {}],
    ["another project", undefined, { project: "other" }],
    ["an unknown environment", undefined, { environment: "staging" }],
  ])("returns 404 for %s", async (_, name, place) => {
    expect((await burgee.switch(name ?? feature, "on", place)).status).toBe(404);
  });

  it("of a feature without environments is 200 with an empty list", async () => {
    const none = await addFeature(burgee, { environments: {} });

    const { status, json } = await burgee.switch(none, "off");

    expect({ status, json }).toEqual({ status: 200, json: { version: 1, environments: [] } });
  });

  it("as a dry run shows what it would do, and writes nothing", async () => {
    await burgee.switch(feature, "on", production);
    const etag = await burgee.etag(feature);
    burgee.wire.reset();

    const { json, headers } = await burgee.switch(feature, "on", { dryRun: true });

    expect(json).toEqual({
      version: 1,
      environments: [
        {
          environment: "development",
          enabled: true,
          outcome: "would patch",
          difference: [replaced("/enabled", true, false)],
          moves: [{ from: null, to: "blue", share: 1 }],
        },
        { environment: "production", enabled: true, outcome: "unchanged", difference: [], moves: [] },
      ],
    });
    expect([headers.etag, headers["burgee-change"]]).toEqual([etag, undefined]);
    expect(burgee.writes()).toEqual([]);
  });

  it("requires a current ETag in If-Match, and none in If-None-Match", async () => {
    const etag = await burgee.etag(feature);
    await burgee.patchVariants(feature, addGreen, { query: byName });
    const current = await burgee.etag(feature);
    burgee.wire.reset();

    const refused = await burgee.switch(feature, "on", { headers: { "if-match": etag } });
    const known = await burgee.switch(feature, "on", { headers: { "if-none-match": current } });
    const made = await burgee.switch(feature, "on", { headers: { "if-match": current } });

    expect([refused.status, known.status, made.status]).toEqual([412, 412, 200]);
    expect(burgee.writes()).toEqual(["development", "production"]);
  });

  it("is done once with an idempotency key, and not by another request with that key", async () => {
    const options = { headers: { "idempotency-key": "one" } };
    const first = await burgee.switch(feature, "on", options);
    burgee.wire.reset();

    const retry = await burgee.switch(feature, "on", options);
    const other = await burgee.switch(feature, "off", options);
    const patch = await burgee.patchVariants(feature, addGreen, { query: byName, ...options });

    expect(retry.headers["burgee-change"]).toBe(first.headers["burgee-change"]);
    expect(retry.json).toEqual(first.json);
    expect([retry.status, other.status, patch.status]).toEqual([200, 409, 409]);
    expect(burgee.writes()).toEqual([]);
  });

  it("says in the list of changes what it did, and why", async () => {
    const reason = "Payments fail";
    const headers = { "burgee-reason": reason };
    await burgee.patchVariants(feature, addGreen, { query: byName });
    await burgee.switch(feature, "on", { ...production, headers });

    const { json } = await burgee.getChanges(feature);

    const [switched, patched] = json.changes;
    expect(switched).toMatchObject({ reason, by: "admin" });
    expect(switched.environments).toEqual([
      {
        environment: "production",
        writtenAt: expect.any(String),
        difference: [replaced("/enabled", true, false)],
        moves: ["green", "red"].map((to) => ({ from: null, to, share: 0.5 })),
        isTop: true,
        canUndo: true,
      },
    ]);
    for (const { difference } of patched.environments) {
      expect(difference).not.toContainEqual(expect.objectContaining({ path: "/enabled" }));
    }
  });
});

describe("a patch of variants", () => {
  it.each(["on", "off"] as const)("leaves a feature %s", async (to) => {
    await burgee.switch(feature, to);

    const dryRun = await burgee.patchVariants(feature, addGreen, { query: `${byName}&dryRun=true` });
    await burgee.patchVariants(feature, addGreen, { query: byName });

    for (const one of dryRun.json.environments) expect(one).not.toHaveProperty("enabled");
    expect(await states()).toEqual({ development: to === "on", production: to === "on" });
  });
});

describe("an undo", () => {
  it("of a switch restores what was, in each environment", async () => {
    await burgee.switch(feature, "on", production);
    const { headers } = await burgee.switch(feature, "on");

    const change = headers["burgee-change"] ?? "";
    const preview = await burgee.undo(feature, change, { dryRun: true });
    const { status, json } = await burgee.undo(feature, change);

    expect(preview.json.environments).toMatchObject([
      { environment: "development", outcome: "would patch", difference: [replace("/enabled", false)] },
      { environment: "production", outcome: "unchanged" },
    ]);
    expect({ status, json }).toEqual({ status: 200, json: { version: 1, variants: blue } });
    expect(await states()).toEqual({ development: false, production: true });
  });

  it("of a patch leaves the switch that came before it", async () => {
    await burgee.switch(feature, "on");
    const { headers } = await burgee.patchVariants(feature, addGreen, { query: byName });

    await burgee.undo(feature, headers["burgee-change"] ?? "");

    expect(await states()).toEqual({ development: true, production: true });
    expect(await burgee.names(feature)).toEqual(["blue"]);
  });

  it("of a switch under a newer patch is refused, and names the patch", async () => {
    const switched = await burgee.switch(feature, "on");
    const patched = await burgee.patchVariants(feature, addGreen, { query: byName, ...production });
    burgee.wire.reset();

    const { status, json } = await burgee.undo(feature, switched.headers["burgee-change"] ?? "");

    expect([status, json.code]).toEqual([409, "cannot-undo"]);
    expect(json.message).toEqual(naming(patched.headers["burgee-change"] ?? ""));
    expect(burgee.writes()).toEqual([]);
  });
});

describe("the permission", () => {
  const inProject = { project: "default" };
  const toPatch: Permission[] = [
    { permission: "UPDATE_FEATURE_VARIANTS", ...inProject },
    { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", ...inProject },
  ];
  const toSwitch: Permission[] = [{ permission: "UPDATE_FEATURE_ENVIRONMENT", ...inProject }];
  const lacking = (permission: string, environment?: string) => ({
    permission,
    ...(environment !== undefined && { environment }),
  });

  it("is required in each environment, and the 403 names the one that lacks it", async () => {
    const key = await burgee.keyWith({ permission: "UPDATE_FEATURE_ENVIRONMENT", ...production });

    const refused = await burgee.switch(feature, "on", { key });
    const made = await burgee.switch(feature, "on", { key, ...production });

    expect(refused.json.message).toEqual(naming("UPDATE_FEATURE_ENVIRONMENT", '"development"'));
    expect([refused.status, made.status]).toEqual([403, 200]);
    expect(burgee.writes()).toEqual(["production"]);
  });

  it("is missing in a dry run where it would be", async () => {
    const key = await burgee.keyWith({ permission: "READ" });

    const { json } = await burgee.switch(feature, "on", { key, dryRun: true });

    expect(json.missingPermissions).toEqual(
      ["development", "production"].map((one) => lacking("UPDATE_FEATURE_ENVIRONMENT", one)),
    );
  });

  it.each<[string, Place, string]>([
    [
      "every environment",
      {},
      "UPDATE_FEATURE_VARIANTS or UPDATE_FEATURE_ENVIRONMENT or UPDATE_FEATURE_STRATEGY in project",
    ],
    [
      "one",
      production,
      'UPDATE_FEATURE_ENVIRONMENT_VARIANTS or UPDATE_FEATURE_ENVIRONMENT or UPDATE_FEATURE_STRATEGY in environment "production" of project',
    ],
  ])("of an undo in %s is refused with what it may need", async (_, place, missing) => {
    const key = await burgee.keyWith({ permission: "READ" });

    const { status, json } = await burgee.undo(feature, "none", { ...place, key });

    expect([status, json.message]).toEqual([403, `The API key lacks the permission ${missing} "default"`]);
  });

  it.each<[string, Place, missing: object[]]>([
    ["every environment", {}, [lacking("UPDATE_FEATURE_ENVIRONMENT", "production")]],
    ["one", production, [lacking("UPDATE_FEATURE_ENVIRONMENT", "production")]],
  ])("of an undo in %s is that of what it takes back: a switch", async (_, place, missing) => {
    const [switching, patching] = [await burgee.keyWith(...toSwitch), await burgee.keyWith(...toPatch)];
    const { headers } = await burgee.switch(feature, "on", { ...production, key: switching });
    const change = headers["burgee-change"] ?? "";

    const preview = await burgee.undo(feature, change, { ...place, key: patching, dryRun: true });
    const refused = await burgee.undo(feature, change, { ...place, key: patching });

    expect(preview.json.missingPermissions).toEqual(missing);
    expect(refused.status).toBe(403);
    expect(await states()).toMatchObject({ production: true });
    const idempotent = { ...place, key: switching, headers: { "idempotency-key": "undo" } };
    expect((await burgee.undo(feature, change, idempotent)).status).toBe(200);
    expect((await burgee.undo(feature, change, idempotent)).status).toBe(200);
    expect((await burgee.undo(feature, change, { ...place, key: switching })).status).toBe(200);
    expect(await states()).toMatchObject({ production: false });
  });

  it("of an undo is that of what it takes back: a patch", async () => {
    const [switching, patching] = [await burgee.keyWith(...toSwitch), await burgee.keyWith(...toPatch)];
    const { headers } = await burgee.patchVariants(feature, addGreen, { query: byName, key: patching });
    const change = headers["burgee-change"] ?? "";

    const preview = await burgee.undo(feature, change, { key: switching, dryRun: true });
    const refused = await burgee.undo(feature, change, { key: switching });

    const environment = ["development", "production"];
    expect(preview.json.missingPermissions).toEqual([
      lacking("UPDATE_FEATURE_VARIANTS"),
      ...environment.map((one) => lacking("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", one)),
    ]);
    expect([refused.status, await burgee.names(feature)]).toEqual([403, ["blue", "green"]]);
    expect((await burgee.undo(feature, change, { key: patching })).status).toBe(200);
  });

  it("of the undo of an operator's change that did both is both", async () => {
    const keys = [await burgee.keyWith(...toSwitch), await burgee.keyWith(...toPatch)];
    await burgee.switch(feature, "on");
    await burgee.apply(feature, { development: [variant("green")], production: [variant("red")] });
    const { json } = await burgee.getChanges(feature);
    const change = json.changes[0].id;

    const refused = [];
    for (const key of keys) refused.push((await burgee.undo(feature, change, { key })).status);

    expect(refused).toEqual([403, 403]);
    const key = await burgee.keyWith(...toSwitch, ...toPatch);
    expect((await burgee.undo(feature, change, { key })).status).toBe(200);
    expect(await states()).toEqual({ development: true, production: true });
  });
});

describe("a feature", () => {
  it("is returned with its tags and each environment", async () => {
    await burgee.switch(feature, "on", production);

    const { status, json } = await burgee.getFeature(feature);

    expect({ status, json }).toEqual({
      status: 200,
      json: {
        version: 1,
        name: feature,
        project: "default",
        tags: [tag("team-a")],
        environments: [
          {
            environment: "development",
            enabled: false,
            variants: environments.development,
            strategies: [],
            etag: await burgee.etag(feature, { environment: "development" }),
          },
          {
            environment: "production",
            enabled: true,
            variants: environments.production,
            strategies: [],
            etag: await burgee.etag(feature, production),
          },
        ],
      },
    });
  });

  it("has its variants by name on request", async () => {
    const { json } = await burgee.getFeature(feature, { query: byName });

    const { name: _, ...rest } = variant("blue");
    expect(json).toMatchObject({ by: "name", environments: [{ variants: { blue: rest } }, {}] });
  });

  it("has an ETag that each change of it makes another one, and is 304 until then", async () => {
    const etags = [];
    for (const change of [
      () => burgee.switch(feature, "on"),
      () => burgee.patchVariants(feature, [replace("/0/stickiness", "userId")], production),
      () => burgee.putTags(feature, { addedTags: [tag("team-b")], removedTags: [] }),
    ]) {
      const { headers } = await burgee.getFeature(feature);
      const etag = headers.etag ?? "";
      const same = await burgee.getFeature(feature, { headers: { "if-none-match": etag } });
      expect([same.status, same.json]).toEqual([304, undefined]);
      etags.push(etag);
      await change();
      expect((await burgee.getFeature(feature, { headers: { "if-none-match": etag } })).status).toBe(200);
    }
    expect(new Set(etags).size).toBe(3);
  });

  it.each([
    ["of another project", undefined, { project: "other" }],
    ["that is unknown", "nothing", {}],
  ])("%s is 404", async (_, name, place) => {
    expect((await burgee.getFeature(name ?? feature, place)).status).toBe(404);
  });
});

it("loses nothing of two people, one of whom switches while the other patches, forty times", async () => {
  const one = await addFeature(burgee, { environments: { production: [] } });
  const addAll = async () => {
    for (let index = 0; index < 40; index++) {
      const { status } = await burgee.patchVariants(one, [add(`/v${index}`, { weight: 0 })], {
        query: byName,
      });
      expect(status).toBe(200);
    }
  };
  const switchAll = async () => {
    for (let index = 0; index < 40; index++) {
      const to = index % 2 === 0 ? "on" : "off";
      const { status, headers } = await burgee.switch(one, to, production);
      expect([status, headers["burgee-environments"]]).toEqual([200, "production=patched"]);
    }
  };

  await Promise.all([addAll(), switchAll()]);

  const { revision, variants, enabled } = await burgee.storedEnvironment(one, "production");
  expect({ revision, variants: variants.length, enabled }).toEqual({
    revision: 81,
    variants: 40,
    enabled: false,
  });
});

it("loses nothing of two people who switch and patch in turn, forty times, and take it all back", async () => {
  const one = await addFeature(burgee, { environments: { production: [] } });
  for (let index = 0; index < 40; index++) {
    await burgee.switch(one, index % 2 === 0 ? "on" : "off");
    await burgee.patchVariants(one, [add(`/v${index}`, { weight: 0 })], { query: byName });
  }

  const { revision, variants } = await burgee.storedEnvironment(one, "production");
  expect([revision, variants.length]).toEqual([81, 40]);
  const { json } = await burgee.getChanges(one);
  for (const [index, { id }] of json.changes.slice(0, 6).entries()) {
    expect((await burgee.undo(one, id)).status).toBe(200);
    const { enabled, variants: left } = await burgee.storedEnvironment(one, "production");
    const undone = index + 1;
    expect([enabled, left.length]).toEqual([Math.floor(undone / 2) % 2 === 1, 40 - Math.ceil(undone / 2)]);
  }
});
