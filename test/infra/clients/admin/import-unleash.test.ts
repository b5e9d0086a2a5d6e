/** `import-unleash`: what a running Unleash 6.10.1 exported, what it could have, and the same again. */
import { expect, it, onTestFinished, vi } from "vitest";
import { reservationMs } from "../../../../lib/clock.ts";
import type { Tag } from "../../../../lib/contract/tags.ts";
import { replace, times } from "../../../support/patching.ts";
import { featureOf, projectOf, tag, variant } from "../../../support/seed.ts";
import { done, fileOf, misused, noTags, refused, run, useCommandLine } from "./command-line.ts";
import { recorded } from "./exported.ts";

const line = await useCommandLine();

/** Says for the features of a file that they are off. */
const switches = new Map<string, string>();

const withSwitches = (files: readonly string[]) => [
  ...files,
  ...files.flatMap((file) => (switches.has(file) ? ["--switches", switches.get(file) ?? ""] : [])),
];

/** A file with an export of one environment in which these features have these variants, and all are on. */
function exportOf(
  lists: Record<string, unknown[]>,
  { environment = "development", tags = {} as Record<string, Tag[]>, more = {} } = {},
): string {
  const off = Object.keys(lists).map((name) => ({
    name,
    environments: [{ name: environment, enabled: false }],
  }));
  const file = fileOf({
    features: Object.keys(lists).map((name) => ({ name, project: "default" })),
    featureEnvironments: Object.entries(lists).map(([name, variants]) => {
      return { featureName: name, environment, variants, name, enabled: true };
    }),
    featureTags: Object.entries(tags).flatMap(([featureName, tags]) =>
      tags.map(({ type, value }) => ({ featureName, tagType: type, tagValue: value })),
    ),
    ...more,
  });
  switches.set(file, fileOf({ features: off }));
  return file;
}

const ofRecorded = ["checkout-button", "only-tags", "plain-flag", "search.ranking_v2"].map((name) => ({
  name,
  environments: ["development", "production"].map((environment) => {
    return { name: environment, enabled: name === "checkout-button" };
  }),
}));

const importOf = (...given: string[]) => line.json("import-unleash", ...withSwitches(given));
const features = async (table?: string) => JSON.parse(await line.exported(table)).features;

/** What --json reports of things that are left out for the same reason. */
function omission(what: string, why: string, ...which: string[]) {
  return { what, why, count: which.length, which };
}

it("takes over what Unleash exported, and the handlers go on from there", async () => {
  const { out, ...ended } = await line.run(
    "import-unleash",
    ...recorded,
    "--switches",
    fileOf({ features: ofRecorded }),
  );
  const [, summary] = out.split(/\n(?=\d+ created)/);
  expect({ ...ended, out: summary }).toEqual(
    done(`5 created, 0 updated, 0 removed, 1 unchanged.

LEFT OUT           WHY                     WHICH
contextFields   3  not kept by Burgee      appName, sessionId, userId
tagTypes        2  not kept by Burgee      simple, team
description     1  not kept for a feature  checkout-button
type            4  not kept for a feature  checkout-button, only-tags, plain-flag, and 1 more
impressionData  1  not kept for a feature  checkout-button
stale           1  not kept for a feature  plain-flag
`),
  );
  expect(await line.json("project list")).toEqual([projectOf("default", "development", "production")]);
  expect(await line.burgee.storedEnvironment("checkout-button", "production")).toMatchObject({
    enabled: true,
    variants: [variant("blue", { weight: 100 }), variant("control", { weight: 900, weightType: "fix" })],
  });
  const tagsOf = async (feature: string) => (await line.burgee.putTags(feature, noTags)).json.tags;
  expect(await tagsOf("only-tags")).toEqual([tag("q4"), tag("q4 "), tag("growth", "team")]);
  expect(await tagsOf("search.ranking_v2")).toEqual([tag("Suche für München")]);
  const { status, json } = await line.burgee.patchVariants("checkout-button", [
    replace("/0/stickiness", "userId"),
  ]);
  expect(status).toBe(200);
  expect(json.variants).toMatchObject([
    { name: "blue", payload: { value: "#0000ff" } },
    { name: "green", overrides: [{ values: ["u1", "u2"] }] },
  ]);
});

it("keeps the order of a project that is there, adds to what is there, and takes nothing away", async () => {
  const lists = { production: [variant("kept")], development: [variant("old")] };
  await line.burgee.store({
    projects: [projectOf("default", "production", "development"), projectOf("else", "e")],
    features: [featureOf("a", lists, { tags: [tag("ours")] }), { name: "theirs", project: "else" }],
  });

  const { leftOut } = await importOf(
    exportOf({ a: [variant("s")], theirs: [] }, { environment: "staging", tags: { a: [tag("new")] } }),
    exportOf({ a: [variant("d")] }),
  );

  expect(leftOut).toEqual([
    omission("features", 'they are in project "else" already, and cannot move to "default"', "theirs"),
  ]);
  const [project] = JSON.parse(await line.exported()).projects;
  expect(project).toEqual(projectOf("default", "production", "development", "staging"));
  const merged = { ...lists, development: [variant("d")], staging: [variant("s")] };
  expect((await features())[0]).toEqual(featureOf("a", merged, { tags: [tag("new"), tag("ours")] }));
  expect((await line.burgee.storedEnvironment("a", "development")).revision).toBe(2);
});

it("skips what is invalid or not kept, reports why, and imports the rest", async () => {
  const long = "x".repeat(2041);
  const tags = { good: [tag("short-type", "t"), tag("kept")], missing: [tag("dropped")] };
  const lists = {
    good: [variant("v")],
    bad: [variant("fine", { weight: 500 }), variant("not fine", { weight: 1500 })],
    nulls: [{ ...variant("v"), payload: null, overrides: null }],
    gone: [],
    missing: [],
  };
  const file = exportOf(lists, {
    tags,
    more: {
      features: [
        ...["good", "bad", "nulls", long].map((name) => ({ name, project: "default", variants: [] })),
        { name: "gone", archived: true },
        { name: "old", variants: [variant("v")] },
        { name: "nowhere", project: "*" },
      ],
      segments: [{ id: 1, name: "beta" }],
      dependencies: [{ feature: "old", dependencies: [] }],
      links: [{}],
    },
  });

  const { leftOut } = await importOf(file);

  const all = 'must not be "*", which means all of them in a permission';
  const rule = `must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."; /1/weight must be an integer from 0 to 1000`;
  expect(leftOut).toEqual([
    omission("features", "/name must have at most 1000 bytes", long),
    omission("features", "they are archived", "gone"),
    omission("features", `/project ${all}`, "nowhere"),
    omission("tags", "/type must have 2 to 50 characters", "t:short-type of good"),
    omission("tags", "their feature is not in the export", "simple:dropped of missing"),
    omission("variants", `not valid: /1/name ${rule}`, "bad in development"),
    omission("environments", "their feature is not in the export", "development of missing"),
    omission("links", "not kept by Burgee", "number 1"),
    // Of older versions of Unleash.
    omission("variants", "not kept for a feature", "old"),
  ]);
  const development = [variant("v")];
  expect(await features()).toEqual([
    featureOf("bad", { development: [] }, { tags: [] }),
    featureOf("good", { development }, { tags: [tag("kept")] }),
    featureOf("nulls", { development }, { tags: [] }),
    featureOf("old", {}, { tags: [] }),
  ]);
});

it("asks neither whether an archived or a missing feature is on, nor for the segments of its strategies", async () => {
  const leftOut = ["archived", "missing"];
  const file = fileOf({
    features: [{ name: "good" }, { name: "archived", archived: true }],
    featureEnvironments: ["good", ...leftOut].map((featureName) => ({ featureName, environment: "e" })),
    featureStrategies: leftOut.map((featureName) => ofPlan("s", { featureName, segments: [7] })),
  });
  const switches = fileOf({ features: [{ name: "good", environments: [{ name: "e", enabled: true }] }] });

  const answer = await line.json("import-unleash", file, "--switches", switches);

  expect(answer).toMatchObject({
    created: 2,
    leftOut: [
      omission("features", "they are archived", "archived"),
      omission("environments", "their feature is not in the export", "e of missing"),
    ],
  });
  expect(await features()).toMatchObject([{ name: "good", environments: { e: { enabled: true } } }]);
});

it("leaves out parameters that are null, which is not a text to SDKs", async () => {
  const file = withStrategies([
    ofPlan("s", { parameters: { rollout: 50, stickiness: null, groupId: null } }),
    ofPlan("users", { name: "userWithId", parameters: { userIds: null } }),
  ]);

  const { leftOut } = await importOf(file);

  expect(leftOut).toEqual([]);
  const { strategies } = (await features())[0].environments.development;
  const parameters = strategies.map((strategy: { parameters: object }) => strategy.parameters);
  expect(parameters).toEqual([{ rollout: "50" }, {}]);
});

it("leaves out variants that could not be patched here, and imports the rest", async () => {
  const large = times(2, (index) =>
    variant(`v${index}`, { weight: 500, payload: { type: "string", value: "x".repeat(100_000) } }),
  );
  const values = times(20_000, (index) => `${index}`);
  const many = [variant("v", { overrides: [{ contextName: "userId", values }] })];
  const file = exportOf({ large, many, small: [variant("v")] });

  const { leftOut } = await importOf(file);

  const more = "not valid: it would have more than 20,000 list elements and members";
  expect(leftOut).toEqual([
    omission("variants", "not valid: it would take more than 190 KiB", "large in development"),
    omission("variants", more, "many in development"),
  ]);
  const lists = [[], [], [variant("v")]];
  expect((await features()).map((one: { environments: object }) => one.environments)).toEqual(
    lists.map((variants) => featureOf("any", { development: variants }).environments),
  );
});

it("refuses what is not an export of Unleash, and changes nothing", async () => {
  expect(await line.run("import-unleash", recorded[0] ?? "", "infra/demo.json")).toEqual(
    refused("infra/demo.json is not an export of Unleash's features:\n  /featureEnvironments is required"),
  );
  expect(await line.run("import-unleash - -")).toEqual(misused('"-" can be given only once'));
  expect(line.burgee.wire.calls).toEqual([]);
});

it("goes on where it was interrupted, to the same end as if it had not been", async () => {
  const names = times(60, (index) => `feature-${index + 10}`);
  const tags = Object.fromEntries(names.map((name) => [name, [tag(name)]]));
  const files = ["development", "production"].map((environment) => {
    const lists = names.map((name) => [name, [variant(`${environment}-of-${name}`)]]);
    return exportOf(Object.fromEntries(lists), { environment, tags });
  });
  let calls = 0;
  line.burgee.wire.decide(() => (++calls < 160 ? "pass" : { error: "AccessDeniedException" }));
  expect(await line.run("import-unleash", ...withSwitches(files))).toMatchObject({ code: 1 });
  line.burgee.wire.reset();
  const { length } = await features();
  // By then the names that it has reserved are free.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + reservationMs });
  onTestFinished(() => void vi.useRealTimers());

  const { out } = await line.run("import-unleash", ...withSwitches(files));

  expect(length).toBeGreaterThan(10);
  expect(length).toBeLessThan(50);
  expect(out).toContain(`\n${60 - length} created, 0 updated, 0 removed, ${length + 2} unchanged.`);
  const elsewhere = `${line.burgee.session.table}-again`;
  await run([...line.at(elsewhere), "import-unleash", ...withSwitches(files)]);
  expect(await features()).toEqual(await features(elsewhere));
});

const constraint = { contextName: "plan", operator: "IN", values: ["pro"] };
const ofPlan = (id: string, more = {}) => ({
  ...{ id, name: "flexibleRollout", featureName: "checkout", title: null, disabled: false },
  ...{ parameters: { rollout: 25, stickiness: "default", groupId: "g" }, constraints: [constraint] },
  ...more,
});
const withStrategies = (featureStrategies: object[], more = {}) =>
  exportOf({ checkout: [] }, { more: { featureStrategies, segments: [{ id: 7, name: "beta" }], ...more } });

it("takes strategies with their variants, in their order, and segments with their constraints", async () => {
  const variants = [variant("red", { weight: 400 }), variant("blue", { weight: 600 })];
  const file = withStrategies([
    ofPlan("s2", { segments: [7], sortOrder: 3 }),
    ofPlan("s1", { constraints: [], variants, sortOrder: 5 }),
  ]);
  const inSegment = { contextName: "email", operator: "STR_ENDS_WITH", values: ["@a"], inverted: true };
  const segments = fileOf({ segments: [{ id: 7, name: "beta", constraints: [inSegment] }] });

  const refusal = await line.run("import-unleash", ...withSwitches([file]));
  const { leftOut } = await importOf(file, "--segments", segments);

  expect(refusal).toEqual(
    refused(
      "strategies refer to segments: give --segments FILE with the response of GET /api/admin/segments:\n  beta",
    ),
  );
  expect(leftOut).toEqual([]);
  const parameters = { rollout: "25", stickiness: "default", groupId: "g" };
  expect((await features())[0].environments.development.strategies).toEqual([
    {
      id: "s2",
      name: "flexibleRollout",
      sortOrder: 0,
      parameters,
      constraints: [constraint, inSegment],
      variants: [],
    },
    { id: "s1", name: "flexibleRollout", sortOrder: 1, parameters, constraints: [], variants },
  ]);
});

it("puts strategies in the order of their numbers, however a file lists them", async () => {
  const file = withStrategies([
    ofPlan("s1", { variants: [variant("blue")], sortOrder: 5 }),
    ofPlan("s2", { variants: [variant("red")], sortOrder: 3 }),
  ]);

  await importOf(file);

  const { strategies } = (await features())[0].environments.development;
  expect(strategies.map(({ id }: { id: string }) => id)).toEqual(["s2", "s1"]);
});

it.each([
  [
    "a strategy is invalid",
    [ofPlan("s1", { constraints: [{ ...constraint, operator: "IS" }] })],
    {},
    "strategies",
    /operator must be one of/,
  ],
  [
    "a time has no zone",
    [
      ofPlan("s1", {
        constraints: [{ contextName: "currentTime", operator: "DATE_AFTER", value: "2026-01-01T00:00:00" }],
      }),
    ],
    {},
    "strategies",
    /value must be a time such as/,
  ],
  [
    "a parent is invalid",
    [],
    { dependencies: [{ feature: "checkout", dependencies: [{ enabled: true }] }] },
    "dependencies",
    /feature is required/,
  ],
  [
    "they would not fit",
    [
      ofPlan("s1", {
        constraints: [{ ...constraint, values: times(4000, (index) => `${index}`.repeat(20)) }],
      }),
    ],
    {},
    "environments",
    /: would take more than 190 KiB/,
  ],
])(
  "leaves an environment as it is where %s: it would be on for others",
  async (_, given, more, what, why) => {
    await line.burgee.store({
      projects: [projectOf("default", "development")],
      features: [featureOf("checkout", { development: [variant("v")] })],
    });

    const { leftOut } = await importOf(withStrategies(given, more));

    expect(leftOut[0]).toMatchObject({
      what,
      why: expect.stringMatching(why),
      which: ["checkout in development"],
    });
    expect((await features())[0].environments.development).toMatchObject({
      enabled: false,
      variants: [variant("v")],
    });
  },
);

it("takes the document that SDKs load, with its segments", async () => {
  const document = {
    version: 2,
    features: [
      {
        ...{ name: "checkout", project: "default", enabled: true, type: "release", variants: [] },
        strategies: [
          { name: "default", constraints: [], parameters: {}, segments: [7], variants: [] },
          { name: "flexibleRollout", constraints: [constraint], parameters: { rollout: "25" } },
        ],
      },
    ],
    segments: [{ id: 7, constraints: [{ contextName: "email", operator: "STR_ENDS_WITH", values: ["@a"] }] }],
    query: { environment: "development" },
  };

  const { leftOut } = await importOf(fileOf(document));

  expect(leftOut).toEqual([]);
  const path = "/api/projects/default/environments/development/client/features";
  const { json } = await line.burgee.send({ method: "GET", path });
  const withDefaults = { values: [], inverted: false, caseInsensitive: false };
  expect(json.features[0]).toMatchObject({
    enabled: true,
    strategies: [
      { name: "default", constraints: [{ ...withDefaults, ...document.segments[0]?.constraints[0] }] },
      {
        name: "flexibleRollout",
        constraints: [{ ...withDefaults, ...constraint }],
        parameters: { rollout: "25" },
      },
    ],
  });
});
