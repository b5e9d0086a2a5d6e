/** `import-unleash`: what a running Unleash 6.10.1 exported, what it could have, and the same again. */
import { once } from "node:events";
import { expect, it } from "vitest";
import type { Tag } from "../../../lib/contract/tags.ts";
import { replace, times } from "../../support/patching.ts";
import { featureOf, projectOf, tag, variant } from "../../support/seed.ts";
import { done, fileOf, freshCommandLine, misused, noTags, refused, run } from "./command-line.ts";
import { recorded } from "./exported.ts";

const line = freshCommandLine();

/** A file with an export of one environment in which these features have these variants. */
function exportOf(
  lists: Record<string, unknown[]>,
  {
    environment = "development",
    /** The names of all of them, also of those without variants. */
    features = Object.keys(lists),
    archived = [] as string[],
    tags = {} as Record<string, Tag[]>,
    more = {},
  } = {},
): string {
  return fileOf({
    features: features.map((name) => ({ name, project: "default", archived: archived.includes(name) })),
    featureEnvironments: Object.entries(lists).map(([name, variants]) => {
      return { featureName: name, environment, variants, name, enabled: false };
    }),
    featureTags: Object.entries(tags).flatMap(([featureName, tags]) =>
      tags.map(({ type, value }) => ({ featureName, tagType: type, tagValue: value })),
    ),
    ...more,
  });
}

/** What --json reports of things that are left out for the same reason. */
function omission(what: string, why: string, ...which: string[]) {
  return { what, why, count: which.length, which };
}

it("takes over what Unleash exported, and the handlers go on from there", async () => {
  expect(await line.run("import-unleash", ...recorded)).toEqual(
    done(`5 created, 0 updated, 0 removed, 1 unchanged.

LEFT OUT              WHY                                       WHICH
featureStrategies  1  not kept by Burgee                        flexibleRollout of checkout-button (55f5a6c1)
contextFields      3  not kept by Burgee                        appName, sessionId, userId
tagTypes           2  not kept by Burgee                        simple, team
description        1  not kept for a feature                    checkout-button
type               4  not kept for a feature                    checkout-button, only-tags, plain-flag, and 1 more
impressionData     1  not kept for a feature                    checkout-button
stale              1  not kept for a feature                    plain-flag
enabled            8  features are not switched on or off here  checkout-button in development, only-tags in development, plain-flag in development, and 5 more
`),
  );
  expect(await line.json("project list")).toEqual([projectOf("default", "development", "production")]);
  expect((await line.burgee.storedEnvironment("checkout-button", "production")).variants).toEqual([
    variant("blue", { weight: 100 }),
    variant("control", { weight: 900, weightType: "fix" }),
  ]);
  const tagsOf = async (feature: string) => (await line.burgee.putTags(feature, noTags)).json.tags;
  expect(await tagsOf("only-tags")).toEqual([tag("q4"), tag("q4 "), tag("growth", "team")]);
  expect(await tagsOf("search.ranking_v2")).toEqual([tag("Suche für München")]);
  const { status, json } = await line.burgee.patch("checkout-button", [replace("/0/stickiness", "userId")]);
  expect(status).toBe(200);
  expect(json.variants).toMatchObject([
    { name: "blue", payload: { value: "#0000ff" } },
    { name: "green", overrides: [{ values: ["u1", "u2"] }] },
  ]);
  expect((await line.burgee.storedEnvironment("checkout-button", "production")).revision).toBe(2);
});

it("with --dry-run shows what it would do, and writes nothing", async () => {
  const { dryRun, created, changes, leftOut } = await line.json("import-unleash", ...recorded, "--dry-run");

  expect({ dryRun, created }).toEqual({ dryRun: true, created: 5 });
  expect(changes[1]).toMatchObject({
    action: "create",
    kind: "feature",
    name: "checkout-button",
    differences: [
      { path: ["project"], to: "default" },
      { path: ["tags", "simple:checkout"], to: {} },
      { path: ["tags", "team:payments"], to: {} },
      { path: ["environments", "development"], to: { blue: { weight: 500 }, green: {} } },
      { path: ["environments", "production"], to: { blue: { weight: 100 }, control: {} } },
    ],
  });
  const attributes = ["appName", "sessionId", "userId"];
  expect(leftOut[1]).toEqual(omission("contextFields", "not kept by Burgee", ...attributes));
  expect(line.writes()).toEqual([]);
});

it("keeps the order of a project that is there, adds to what is there, and takes nothing away", async () => {
  const lists = { production: [variant("kept")], development: [variant("old")] };
  await line.burgee.store({
    projects: [projectOf("default", "production", "development"), projectOf("else", "e")],
    features: [featureOf("a", lists, { tags: [tag("ours")] }), { name: "theirs", project: "else" }],
  });

  const environment = "staging";
  const { leftOut } = await line.json(
    "import-unleash",
    exportOf({ a: [variant("s")], theirs: [] }, { environment, tags: { a: [tag("new")] } }),
    exportOf({ a: [variant("d")] }),
  );

  expect(leftOut).toEqual([
    omission("features", 'they are in project "else" already, and cannot move to "default"', "theirs"),
  ]);
  const { projects, features } = JSON.parse(await line.exported());
  expect(projects[0]).toEqual({ id: "default", environments: ["production", "development", "staging"] });
  const merged = { ...lists, development: [variant("d")], staging: [variant("s")] };
  expect(features[0]).toEqual(featureOf("a", merged, { tags: [tag("new"), tag("ours")] }));
  expect((await line.burgee.storedEnvironment("a", "development")).revision).toBe(2);
});

it("skips what is invalid, reports why, and imports the rest", async () => {
  const long = "x".repeat(2041);
  const lists = {
    good: [variant("v")],
    bad: [variant("fine", { weight: 500 }), variant("not fine", { weight: 1500 })],
    nulls: [{ ...variant("v"), payload: null, overrides: null }],
    gone: [],
  };
  const features = ["good", "bad", "nulls", "gone", long];
  const tags = { good: [tag("short-type", "t"), tag("kept")] };
  const more = {
    segments: [{ id: 1, name: "beta" }],
    dependencies: [{ feature: "good", dependencies: [] }],
    links: [{}],
  };
  const file = exportOf(lists, { features, archived: ["gone"], tags, more });

  const { leftOut } = await line.json("import-unleash", file);

  expect(leftOut).toEqual([
    omission("features", "they are archived", "gone"),
    omission("features", "/name must have at most 2040 bytes", long),
    omission("tags", "/type must have 2 to 50 characters", "t:short-type of good"),
    omission(
      "variants",
      "not valid: /1/name must be URL-friendly: letters, digits and -_.!~*'() only (and 1 more)",
      "bad in development",
    ),
    omission("segments", "not kept by Burgee", "beta"),
    omission("dependencies", "not kept by Burgee", "good"),
    omission("links", "not kept by Burgee", "number 1"),
  ]);
  const development = [variant("v")];
  expect(JSON.parse(await line.exported()).features).toEqual([
    featureOf("bad", { development: [] }, { tags: [] }),
    featureOf("good", { development }, { tags: [tag("kept")] }),
    featureOf("nulls", { development }, { tags: [] }),
  ]);
});

it("reports variants outside the environments, as older versions have them, unless there are none", async () => {
  const features = [
    { name: "a", variants: [variant("v")] },
    { name: "b", variants: [] },
  ];

  const { leftOut } = await line.json("import-unleash", exportOf({ a: [], b: [] }, { more: { features } }));

  expect(leftOut).toEqual([omission("variants", "not kept for a feature", "a")]);
});

it("reports a feature of a project that a permission cannot name", async () => {
  const features = [{ name: "a", project: "*" }];

  const { leftOut } = await line.json("import-unleash", exportOf({}, { more: { features } }));

  const rule = '/project must not be "*", which means all of them in a permission';
  expect(leftOut).toEqual([omission("features", rule, "a")]);
});

it("keeps the variants of one export where those of a later one are not valid", async () => {
  await line.run("import-unleash", exportOf({ a: [variant("v")] }), exportOf({ a: [variant("not fine")] }));

  expect(JSON.parse(await line.exported()).features).toEqual([
    featureOf("a", { development: [variant("v")] }, { tags: [] }),
  ]);
});

it("keeps the variants of an environment for which an export has no list", async () => {
  const featureEnvironments = [
    { featureName: "a", environment: "development" },
    { featureName: "a", environment: "production", variants: null },
  ];
  await line.run("import-unleash", exportOf({ a: [variant("v")] }));

  const { created, updated } = await line.json(
    "import-unleash",
    exportOf({ a: [] }, { more: { featureEnvironments } }),
  );

  expect([created, updated]).toEqual([0, 2]);
  expect(JSON.parse(await line.exported()).features).toEqual([
    featureOf("a", { development: [variant("v")], production: [] }, { tags: [] }),
  ]);
});

it("reports tags and environments of features that no export lists, and finds them in a later one", async () => {
  const tags = { later: [tag("kept")], missing: [tag("dropped")] };
  const first = exportOf({ later: [variant("v")], missing: [] }, { features: [], tags });
  const second = exportOf({ later: [] }, { environment: "production" });

  const { leftOut } = await line.json("import-unleash", first, second);

  expect(leftOut).toEqual([
    omission("tags", "their feature is not in the export", "simple:dropped of missing"),
    omission("environments", "their feature is not in the export", "development of missing"),
  ]);
  expect(JSON.parse(await line.exported()).features).toMatchObject([
    { name: "later", tags: [tag("kept")], environments: { development: { variants: [{}] } } },
  ]);
});

it("refuses what is not an export of Unleash, and changes nothing", async () => {
  expect(await line.run("import-unleash", recorded[0] ?? "", "infra/demo.json")).toEqual(
    refused("infra/demo.json is not an export of Unleash's features:\n  /featureEnvironments is required"),
  );
  expect(line.burgee.wire.calls).toEqual([]);
});

it("refuses the standard input as two files, as it can be read only once", async () => {
  expect(await line.run("import-unleash - -")).toEqual(misused('"-" can be given only once'));
});

it("reports the variants that a strategy has of its own", async () => {
  const strategy = { name: "flexibleRollout", featureName: "a", variants: [variant("v")] };
  const more = { featureStrategies: [strategy, { ...strategy, name: "default", variants: [] }] };

  const { leftOut } = await line.json("import-unleash", exportOf({ a: [] }, { more }));

  expect(leftOut).toEqual([
    omission("featureStrategies", "not kept by Burgee, nor are their own variants", "flexibleRollout of a"),
    omission("featureStrategies", "not kept by Burgee", "default of a"),
  ]);
});

it("writes nothing the second time, and reads without a call for each feature", async () => {
  await line.run("import-unleash", ...recorded);
  line.burgee.wire.reset();

  const { code, out } = await line.run("import-unleash", ...recorded);

  expect(code).toBe(0);
  expect(out).toMatch(/^0 created, 0 updated, 0 removed, 6 unchanged\.\n/);
  expect(line.writes()).toEqual([]);
  expect(line.burgee.wire.calls.length).toBeLessThan(6);
});

it("goes on where it was interrupted, to the same end as if it had not been", async () => {
  const names = times(120, (index) => `feature-${String(index).padStart(3, "0")}`);
  const tags = Object.fromEntries(names.map((name) => [name, [tag(name)]]));
  const files = ["development", "production"].map((environment) => {
    const lists = names.map((name) => [name, [variant(`${environment}-of-${name}`)]]);
    return exportOf(Object.fromEntries(lists), { environment, tags });
  });
  const child = line.start("import-unleash", ...files);
  let count = 0;
  line.burgee.wire.decide(() => {
    if (++count === 180) child.kill("SIGKILL");
    return "pass";
  });
  await once(child, "close");
  line.burgee.wire.reset();
  const left = JSON.parse(await line.exported()).features.length;
  line.burgee.wire.reset();

  const { code, out } = await line.run("import-unleash", ...files);

  expect({ signal: child.signalCode, code }).toEqual({ signal: "SIGKILL", code: 0 });
  expect(left).toBeGreaterThan(10);
  expect(left).toBeLessThan(110);
  expect(out.split("\n")[0]).toBe(`${120 - left} created, 0 updated, 0 removed, ${left + 2} unchanged.`);
  // Environments of features that were being created are written again, as they could be left of a deletion.
  const written = line.writes().filter(({ attempt }) => attempt === 1);
  expect(written).toHaveLength(3 * (120 - left));
  const elsewhere = `${line.burgee.session.table}-again`;
  await run([...line.at(elsewhere), "import-unleash", ...files]);
  const ended = JSON.parse(await line.exported());
  const uninterrupted = JSON.parse(await line.exported(elsewhere));
  expect(ended).toEqual({ ...uninterrupted, apiKeys: ended.apiKeys });
  expect(ended.features).toHaveLength(120);
}, 60_000);
