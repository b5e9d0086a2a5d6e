/** The environments of a patch: to which it is applied, and what the response and the table show of each. */
import { describe, expect, it } from "vitest";
import type { PatchOperation } from "../../../lib/contract/patch.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import {
  detailsOf,
  invalid,
  issuesAt,
  naming,
  notFound,
  patchedTo,
  unchanged,
} from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { add, remove, replace, times } from "../../support/patching.ts";
import { addFeature, featureOf, projectOf, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const blue = variant("blue");
const sticky = variant("blue", { stickiness: "id" });
const half = { weight: 500 };
const addBlue = [add("/-", { name: "blue", weight: 0 })];
const makeSticky = [replace("/0/stickiness", "id")];

describe("a patch of every environment", () => {
  it("is applied to the list of each by itself, and returns that of the first as stored", async () => {
    const environments = {
      production: [variant("red")],
      alpha: [],
      staging: [variant("amber", half), variant("red", half)],
    };
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patchVariants(feature, addBlue);

    const lists = await Promise.all(
      Object.keys(environments).map((environment) => burgee.storedEnvironment(feature, environment)),
    );
    expect(answer).toEqual(patchedTo([variant("blue", half), variant("red", half)]));
    expect(lists.map(({ variants }) => variants)).toEqual([
      answer.json.variants,
      [blue],
      [variant("amber", { weight: 334 }), variant("blue", { weight: 333 }), variant("red", { weight: 333 })],
    ]);
  });

  it("writes one after the other, in the project's order, those that the feature has", async () => {
    const feature = "feature-of-some-environments";
    await burgee.store({
      projects: [projectOf("default", "production", "alpha", "test", "beta", "staging")],
      features: [featureOf(feature, { beta: [], production: [], test: [] })],
    });

    await burgee.patchVariants(feature, addBlue);

    expect(burgee.writes()).toEqual(["production", "test", "beta"]);
  });
});

describe("a patch of one environment", () => {
  const environments = { development: [blue], production: [blue] };
  const environment = "production";
  const addRed = [add("/-", { name: "red", weight: 7 })];

  it("is applied there and nowhere else, and returns what is stored", async () => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patchVariants(feature, addRed, { environment });

    const variants = [variant("blue", half), variant("red", half)];
    expect(answer).toEqual(patchedTo(variants, { outcomes: "production=patched", hint: "production" }));
    expect(burgee.writes()).toEqual([environment]);
    expect(await burgee.storedEnvironment(feature, environment)).toMatchObject({
      project: "default",
      variants,
      revision: 2,
      carriedNewest: {
        by: "admin",
        at: expect.any(String),
        requestId: expect.any(String),
        old: { variants: [blue] },
      },
    });
  });
});

it.each([undefined, "development"])(
  "a patch of an unknown project is a 404 that says so; of an unknown feature and one of another project the same 404: %s",
  async (environment) => {
    const feature = await addFeature(burgee, { project: "its-own" });
    await addFeature(burgee, { project: "default" });

    const answers = [
      await burgee.patchVariants(feature, addBlue, { environment, project: "missing" }),
      await burgee.patchVariants("missing", [], { environment }),
      await burgee.patchVariants(feature, addBlue, { environment }),
    ];

    const [unknownProject, unknown, otherProject] = answers.map(({ json }) => json.message);
    expect(answers).toEqual(times(3, () => notFound()));
    expect(unknownProject).toBe('There is no project "missing"');
    expect(otherProject.replace(feature, "")).toBe(unknown.replace("missing", ""));
    expect(burgee.writes()).toEqual([]);
  },
);

describe("an environment that a patch leaves as it was is not written", () => {
  it.each([
    [
      "by an empty patch, although an import stored other weights",
      [],
      [variant("a", { weight: 7 }), variant("z", { weight: 7 })],
    ],
    ["by a patch that sets what it has", makeSticky, [sticky]],
    [
      "after a variant is added and removed again",
      [add("/-", { name: "red", weight: 0 }), remove("/1")],
      [blue],
    ],
    [
      "after members are put in another order",
      [replace("/0", { weight: 1000, stickiness: "default", name: "blue" })],
      [blue],
    ],
  ])("%s", async (_, patch, variants) => {
    const feature = await addFeature(burgee, { environments: { development: variants } });

    expect(await burgee.patchVariants(feature, patch)).toEqual(unchanged(variants, "development"));
    expect(burgee.writes()).toEqual([]);
    expect(await burgee.storedEnvironment(feature, "development")).toMatchObject({ revision: 1 });
  });
});

describe("the first failure stops a patch:", () => {
  const outOfRange = { message: naming("there is no index 0") };
  const notUnique = { message: naming("unique"), issues: issuesAt("/1/name") };

  it.each<[string, Record<string, Variant[]>, PatchOperation[], outcomes: Parameters<typeof detailsOf>[0]]>([
    [
      "earlier environments stay patched, later ones are not attempted",
      { development: [blue], test: [sticky], staging: [], production: [blue] },
      makeSticky,
      { development: "patched", test: "unchanged", staging: outOfRange, production: "not attempted" },
    ],
    [
      "a later environment is not validated before an earlier one is written",
      { development: [], staging: [sticky] },
      [add("/-", sticky)],
      { development: "patched", staging: notUnique },
    ],
  ])("%s", async (_, environments, patch, outcomes) => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patchVariants(feature, patch);

    expect(answer).toEqual(invalid({ message: naming("staging"), details: detailsOf(outcomes) }));
    for (const [name, before] of Object.entries(environments)) {
      const variants = outcomes[name] === "patched" ? [sticky] : before;
      expect(await burgee.storedEnvironment(feature, name)).toMatchObject({ variants });
    }
  });
});

describe("the header burgee-environments of a success", () => {
  it.each([
    [
      "has each outcome in the project's order",
      { zulu: [blue], mike: [sticky], alpha: [blue] },
      "zulu=patched, mike=unchanged, alpha=patched",
    ],
    [
      "has percent-encoded names, as a header has no other characters",
      { "a=b, c\r\nx: y": [blue], "ü🏁": [blue] },
      "a%3Db%2C%20c%0D%0Ax%3A%20y=patched, %C3%BC%F0%9F%8F%81=patched",
    ],
  ])("%s", async (_, environments, header) => {
    const feature = await addFeature(burgee, { environments });

    expect(await burgee.patchVariants(feature, makeSticky)).toEqual(
      patchedTo([sticky], { outcomes: header }),
    );
  });

  it("is absent where it would be longer than 4,096 characters", async () => {
    const withLast = (last: string) =>
      Object.fromEntries([...times(4, (at) => String(at).repeat(807)), last].map((name) => [name, []]));
    const longest = await addFeature(burgee, { environments: withLast("x".repeat(810)) });
    const longer = await addFeature(burgee, { project: "long", environments: withLast("x".repeat(811)) });

    const fits = await burgee.patchVariants(longest, []);
    const tooLong = await burgee.patchVariants(longer, [], { project: "long" });

    expect(fits.headers["burgee-environments"]).toHaveLength(4096);
    expect(tooLong.headers).not.toHaveProperty("burgee-environments");
    expect(tooLong.status).toBe(200);
  });
});

describe("a change whose response would be larger than 6 MB", () => {
  const names = times(40, (index) => `environment-${index}`);
  const payload = { type: "string" as const, value: "x".repeat(180_000) };
  const outcomesOf = (outcome: string) => names.map((environment) => ({ environment, outcome }));
  const applied = (outcome: string) =>
    invalid({
      code: "applied",
      message:
        "The request was applied, but its response would be larger than 6 MB; read one environment at a time",
      details: outcomesOf(outcome),
    });

  it("is stored, and its 400 says so by a code, the change's id and the outcomes, as does the log", {
    timeout: 60_000,
  }, async () => {
    const environments = Object.fromEntries(names.map((name) => [name, [variant("large", { payload })]]));
    await burgee.store({
      projects: [projectOf("large", ...names)],
      features: [featureOf("large", environments, { project: "large" })],
    });
    const headers = { "idempotency-key": "a" };
    const switchOn = (options: object = {}) =>
      burgee.patchFeature("large", [replace("/enabled", true)], { project: "large", ...options });

    const dryRun = await switchOn({ dryRun: true });
    const first = await switchOn({ headers });

    expect(dryRun).toEqual(invalid());
    const change = first.headers["burgee-change"];
    const dryRunEntry = log.at(-2);
    expect([dryRunEntry?.status, dryRunEntry?.change, dryRunEntry?.environments]).toEqual([
      400,
      undefined,
      undefined,
    ]);
    expect(log.at(-1)).toMatchObject({ status: 400, change, environments: { "environment-39": "patched" } });
    expect(first).toEqual(applied("patched"));
    expect(await burgee.storedEnvironment("large", "environment-39")).toMatchObject({ enabled: true });
    const retry = await switchOn({ headers });
    expect(retry).toEqual(applied("already patched"));
    expect(retry.headers["burgee-change"]).toBe(change);
    expect(await switchOn()).toEqual(applied("unchanged"));
    expect(await burgee.getFeature("large", { project: "large" })).toEqual(invalid());
  });
});
