/** `apply FILE`: what it creates, updates and removes, what it makes of API keys, and how it serves a pipeline. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { limits } from "../../../../lib/contract/limits.ts";
import { add, times } from "../../../support/patching.ts";
import { featureOf, projectOf, tag, variant } from "../../../support/seed.ts";
import type { Call, Fate } from "../../../support/wire.ts";
import {
  admin,
  done,
  fileOf,
  newFolder,
  noTags,
  refused,
  unconfirmed,
  useCommandLine,
} from "./command-line.ts";

const blueAndGreen = [variant("blue", { weight: 600 }), variant("green", { weight: 400 })];
const blueAndRed = [variant("blue", { weight: 700 }), variant("red", { weight: 300 })];
const search = { name: "search", project: "default" };
const key = "another-key-of-the-admin";

const lists = { development: blueAndGreen, production: [variant("blue")] };
const checkout = featureOf("checkout", lists, { tags: [tag("team-a")] });
const base = { projects: [projectOf("default", "development", "production")], features: [checkout, search] };

const newLists = { development: blueAndRed, staging: [] };
const wanted = {
  projects: [projectOf("default", "development", "staging", "production")],
  features: [featureOf("checkout", newLists, { tags: [tag("team-b")] }), search],
};

const line = await useCommandLine(base);

it("writes nothing where all is as it should be", async () => {
  expect(await line.apply(base)).toEqual(done("0 created, 0 updated, 0 removed, 4 unchanged.\n"));
  expect(line.writes()).toEqual([]);
});

const permitted = (project: string, environment?: string) => ({
  apiKeys: [
    {
      name: "ci",
      key: "a-key-of-sixteen-characters",
      permissions: [{ permission: "ADMIN", project, environment }],
    },
  ],
});
const tagged = (type: string, value: string) => ({
  ...base,
  features: [{ ...search, tags: [{ type, value }] }],
});
const listed = (...names: string[]) => ({
  ...base,
  features: [featureOf("search", { development: names.map((name) => variant(name, { weight: 500 })) })],
});

it.each([
  [
    "a permission in a project with a colon, or in an environment",
    permitted("team:web"),
    permitted("team", "web"),
  ],
  ["a tag with a colon in its type, or in its value", tagged("ab:cd", "ef"), tagged("ab", "cd:ef")],
  [
    "the order of environments whose names are numbers",
    { projects: [projectOf("numbers", "10", "2")] },
    { projects: [projectOf("numbers", "2", "10")] },
  ],
])("sees a difference in %s", async (_, first, second) => {
  await line.run("apply --yes", fileOf(first));

  expect(await line.run("apply --dry-run --exit-code", fileOf(first))).toMatchObject({
    code: 0,
  });
  const compared = await line.run("apply --dry-run --exit-code", fileOf(second));
  expect(compared).toMatchObject({ code: 3 });
});

it("stores variants in the order of the API, and says first whom that moves", async () => {
  const unsorted = listed("red", "blue");
  const says =
    "Sorts the variants of 1 feature by name: 100 % of the users of search in development get another one than by the order that was given.";

  const dryRun = await line.run("apply --dry-run", fileOf(unsorted));
  const written = await line.run("apply", fileOf(unsorted));
  const again = await line.run("apply --json", fileOf(unsorted));

  expect([dryRun, written].map(({ out }) => out.split("\n")[0])).toEqual([says, says]);
  expect(JSON.parse(again.out)).toMatchObject({ updated: 0 });
  expect(again.out).not.toContain("sorting");
  const exported = JSON.parse((await line.run("export")).out);
  const { variants } = exported.features.find(({ name }: { name: string }) => name === "search").environments
    .development;
  expect(variants.map(({ name }: { name: string }) => name)).toEqual(["blue", "red"]);
});

const uneven = "the next patch divides the variable ones evenly, to a sum of 1000";

it("creates what is new, changes what is different, and removes nothing; it prints that, as a dry run does", async () => {
  const file = fileOf({
    projects: [...wanted.projects, projectOf("other")],
    features: [
      featureOf("checkout", { development: blueAndRed }, { tags: [tag("team-b")] }),
      featureOf("new", { staging: [variant("a", { weight: 1 })] }),
      search,
    ],
    apiKeys: [{ name: "ci", key: "a-key-of-sixteen-characters" }],
  });
  const asGiven = `
STORED AS GIVEN     WHY  WHICH
weights          2  ${uneven}  checkout in development, new in staging
`;
  const dryRun = await line.run("apply --dry-run", file);
  expect(line.writes()).toEqual([]);

  const applied = await line.run("apply", file);

  expect(dryRun).toEqual(
    done(`+ project "other"
~ feature "checkout"
    + tags/simple:team-b
    ~ environments/development/variants/blue/weight: 600 -> 700
    - environments/development/variants/green
    + environments/development/variants/red: {"weight":300,"weightType":"variable","stickiness":"default"}
+ feature "new"
    + project: "default"
    + environments/staging: {"enabled":false,"variants":{"a":{"weight":1,"weightType":"variable","stickiness":"default"}}}
~ feature "search"
    + environments/staging
+ key "ci"
    + name: "ci"
    + permissions: []
~ project "default"
    + environments/staging
Dry run, nothing was changed: 3 created, 3 updated, 0 removed, 1 unchanged.
${asGiven}`),
  );
  expect(applied).toEqual(done(dryRun.out.replace("Dry run, nothing was changed: ", "")));
  expect((await line.burgee.putTags("checkout", noTags)).json.tags).toEqual([tag("team-a"), tag("team-b")]);
  // Given as they are: weights are not normalised, and the handlers go on from there.
  const { variants } = await line.burgee.storedEnvironment("new", "staging");
  expect(variants).toEqual([variant("a", { weight: 1 })]);
  expect((await line.burgee.storedFeature("search")).environments).toEqual(wanted.projects[0]?.environments);
  expect(await line.burgee.storedEnvironment("checkout", "development")).toMatchObject({ revision: 2 });
  expect(await line.burgee.storedEnvironment("checkout", "production")).toMatchObject({ revision: 1 });
});

const fix = (name: string, weight: number) => variant(name, { weight, weightType: "fix" });

it.each([
  [
    "the fix weights sum to 1400, more than 1000",
    [fix("a", 700), fix("b", 700), variant("c", { weight: 0 })],
  ],
  ['every variant has weightType "fix": give at least one the weightType "variable"', [fix("a", 1000)]],
])("refuses weights that the API refuses: %s", async (why, variants) => {
  const file = fileOf({ ...base, features: [featureOf("fixed", { development: variants })] });

  const where = "/features/0/environments/development/variants are refused by the API";
  expect(await line.run("apply", file)).toEqual(refused(`${file} is not a state file:\n  ${where}: ${why}`));
  expect(line.writes()).toEqual([]);
});

it("reports weights that the next patch changes, of the lists that it writes", async () => {
  const shares = (...weights: number[]) => weights.map((weight, index) => variant(`v${index}`, { weight }));
  const state = {
    ...base,
    features: [
      checkout,
      featureOf("uneven", { development: shares(300, 700), production: shares(1000) }),
      featureOf("short", { development: [fix("f", 100), ...shares(100)], production: shares(0, 0) }),
      featureOf("even", { development: shares(333, 334, 333), production: [fix("f", 998), ...shares(1, 1)] }),
    ],
  };

  const { hints } = await line.json("apply", fileOf(state));
  const again = await line.json("apply --dry-run", fileOf(state));

  const which = ["short in development", "short in production", "uneven in development"];
  expect(hints).toEqual([{ what: "weights", why: uneven, count: 3, which }]);
  expect(again.hints).toEqual([]);
});

const writes = (part: string) => (call: Call) =>
  /^(Put|Update|Delete)/.test(call.operation) && JSON.stringify(call.input).includes(part);

const stays = "a feature stays in its project: delete it (`feature delete`), then create it in the other one";

const addVariant = (name: string, environment?: string) =>
  line.burgee.patchVariants("checkout", [add("/-", { name, weight: 1 })], { environment });

it("retries until a feature that callers patch all the time is as the file has it, and keeps what the file does not name", async () => {
  let patches = 0;
  const isOfCommand = writes("red");
  // A patch of its own is not held, since it does not add red.
  line.burgee.wire.decide(async (call): Promise<Fate> => {
    if (isOfCommand(call) && patches < 8) expect((await addVariant(`v${++patches}`)).status).toBe(200);
    return "pass";
  });

  const { code, out } = await line.apply({
    ...base,
    features: [featureOf("checkout", { development: [variant("red")] }, { tags: [tag("team-b")] })],
  });

  expect([code, patches]).toEqual([0, 8]);
  // The last one was written, so that is the one that is printed.
  expect(out).toContain("    - environments/development/variants/v8\n");
  expect(out).toMatch(/\n0 created, 1 updated, 0 removed, 3 unchanged\.\n$/);
  const { tags, environments } = JSON.parse(await line.exported()).features[0];
  expect(tags).toEqual([tag("team-a"), tag("team-b")]);
  expect(environments.development.variants).toEqual([variant("red")]);
  expect(environments.production.variants).toHaveLength(9);
});

it("updates what the index does not list yet, instead of creating it again, and writes nothing that is as the file has it", async () => {
  const [feature, same] = ["behind", "behind-too"];
  const features = [feature, same].map((name) => featureOf(name, lists, { tags: [tag("team-a")] }));
  await line.burgee.store({ ...base, features });
  const before = await line.burgee.storedFeature(feature);
  for (const name of [feature, same]) {
    const { inList, ...unlisted } = await line.burgee.storedFeature(name);
    await line.burgee.put(unlisted);
  }
  const [first, second] = features;

  const { out } = await line.apply({ ...base, features: [{ ...first, tags: [tag("team-b")] }, second] });

  expect(out).toMatch(/^0 created, 1 updated, 0 removed, /m);
  const after = await line.burgee.storedFeature(feature);
  expect(after).toMatchObject({ uid: before.uid, inList: before.inList });
  expect(Object.keys(after.tags)).toHaveLength(2);
});

it("writes each environment once: a retry keeps the patches that followed, and is the same change", async () => {
  // Enough that the environment no longer carries the command's change.
  const later = times(limits.carriedChanges + 1, (index) => `later-${index}`);
  const isOfProduction = ({ input }: Call) => JSON.stringify(input.Key ?? {}).includes("production");
  line.burgee.wire.beforeFirst(
    (call) => writes("red")(call) && isOfProduction(call),
    async () => {
      for (const name of later) await addVariant(name, "development");
      await addVariant("lost", "production");
    },
  );
  const both = { development: [variant("red")], production: [variant("red")] };

  const { code } = await line.apply({ ...base, features: [featureOf("checkout", both)] });

  expect(code).toBe(0);
  const namesIn = (environment: string) => line.burgee.names("checkout", environment);
  expect([await namesIn("development"), await namesIn("production")]).toEqual([[...later, "red"], ["red"]]);
  const { changes } = await line.json("feature history checkout");
  const sizes = changes.map(({ environments }: { environments: object[] }) => environments.length);
  expect(sizes.toSorted()).toEqual([1, ...later.map(() => 1), 2]);
});

it("prints what it wrote, also where an answer was lost, or an environment was patched meanwhile", async () => {
  const state = {
    ...base,
    features: [featureOf("checkout", { development: blueAndRed, production: blueAndRed })],
  };
  const dryRun = await line.run("apply --dry-run", fileOf(state));
  const isOf = (environment: string) => (call: Call) =>
    call.operation === "UpdateItem" && JSON.stringify(call.input.Key).includes(environment);
  let [lost, patched] = [0, 0];
  line.burgee.wire.decide(async (call): Promise<Fate> => {
    if (isOf("development")(call) && lost++ === 0) return "lose the answer";
    if (isOf("production")(call) && patched++ === 0) await addVariant("later", "production");
    return "pass";
  });

  const { code, out } = await line.apply(state);

  expect([code, patched]).toEqual([0, 3]);
  expect(out).toBe(dryRun.out.replace("Dry run, nothing was changed: ", ""));
});

it("says what prevents a change that was planned otherwise, and not that nothing was changed", async () => {
  line.burgee.wire.beforeFirst(writes("search"), async () => {
    await line.run("feature delete search --yes");
    await line.run("project put other live --yes");
    await line.run("feature create search --project other");
  });

  const { err } = await line.run("apply", fileOf(wanted));

  expect(err).toBe(`burgee: ${stays}:\n  feature "search": from project "other" to "default"\n`);
});

it("with --prune retries only where nothing else is removed than was confirmed", async () => {
  const development = [variant("blue", { weight: 650 }), variant("green", { weight: 350 })];
  const changed = featureOf("checkout", { ...lists, development }, { tags: [tag("team-a")] });
  const file = fileOf({ ...base, features: [changed, search] });
  const addMeanwhile = () =>
    line.burgee.wire.beforeFirst(writes("650"), () => addVariant("other", "development"));

  addMeanwhile();
  expect(await line.run("apply --prune", file)).toEqual(
    refused('feature "checkout": another change was made at the same time; run the command again'),
  );
  expect(await line.exported()).toContain('"other"');
  addMeanwhile();
  expect(await line.run("apply --prune --yes", file)).toMatchObject({ code: 0 });
  expect(await line.exported()).not.toContain('"other"');
});

it("lists all removals in order of their names before it asks", async () => {
  const names = times(30, (index) => `feature-${String((index * 7) % 30).padStart(2, "0")}`);
  await line.apply({ ...base, features: names.map((name) => ({ name, project: "default" })) });

  const { err } = await line.apply({ features: [] }, "--prune");

  const listed = [...err.matchAll(/^- feature "(.+)"$/gm)].map(([, name]) => name);
  expect(listed).toEqual(["checkout", ...[...names].sort(), "search"]);
});

it("prints what was written before a failure", async () => {
  const features = ["bare", "denied"].map((name) => ({ name, project: "default" }));
  const isDenied = writes("denied");
  line.burgee.wire.decide((call) => (isDenied(call) ? { error: "AccessDeniedException" } : "pass"));

  expect(await line.apply({ ...base, features })).toEqual({
    code: 1,
    out: expect.stringMatching(
      /^\+ feature "bare"\n {4}\+ project: "default"\n( {4}\+ environments.+\n){2}$/,
    ),
    err: expect.stringContaining("burgee: AWS denied the call"),
  });
});

describe("what a file does not name of an environment", () => {
  const strategies = [{ id: "quarter", name: "flexibleRollout", parameters: { rollout: "25" } }];
  const whole = { enabled: true, variants: [variant("blue")], strategies };
  const withEnvironment = (production: object) => ({
    ...base,
    features: [featureOf("checkout", {}, { environments: { production } })],
  });
  const stored = async () => {
    const { features } = JSON.parse(await line.exported());
    return features[0].environments.production;
  };

  it.each([
    ["the switch", { variants: [variant("blue")], strategies }],
    ["the variants", { enabled: true, strategies }],
    ["the strategies", { enabled: true, variants: [variant("blue")] }],
    ["all of it", {}],
  ])("stays, with --prune as without: %s", async (_, named) => {
    await line.apply(withEnvironment(whole), "--prune", "--yes");
    const before = await stored();

    for (const options of [[], ["--prune"]]) {
      expect(await line.apply(withEnvironment(named), ...options)).toMatchObject({ code: 0 });
      expect(await stored()).toEqual(before);
    }
  });

  it("is off, and none, where it is new", async () => {
    await line.apply({ features: [] }, "--prune", "--yes");
    await line.apply(withEnvironment({}));

    const nothing = { variants: [], strategies: [], dependencies: [], targeting: null };
    expect(await stored()).toEqual({ enabled: false, ...nothing });
  });
});

it("asks before it switches a feature, and says who loses it", async () => {
  const switched = (enabled: boolean) => ({
    ...base,
    features: [featureOf("checkout", {}, { environments: { production: { enabled } } })],
  });
  await line.apply(switched(true), "--yes");

  const asked = await line.apply(switched(false));

  expect(asked).toEqual(unconfirmed);
  const plan = (await line.apply(switched(false), "--dry-run")).out;
  expect(plan).toContain("    ~ environments/production/enabled: true -> false\n");
  expect(plan).toMatch(/ {4}of the users in production: 100 % .* to off\n/);
  expect(await line.apply(switched(false), "--yes")).toMatchObject({ code: 0 });
});

it.each([
  ["variants", [variant("blue")], []],
  ["strategies", [{ id: "s", name: "flexibleRollout", parameters: { rollout: "5" }, sortOrder: 0 }], []],
  ["dependencies", [{ feature: "search" }], []],
  ["targeting", { targeting: { if: [true, "on"] }, defaultVariant: "off" }, null],
])("asks before it leaves an environment without the %s that it had", async (aspect, value, none) => {
  const withAspect = (one: unknown) => ({
    ...base,
    features: [featureOf("checkout", {}, { environments: { production: { [aspect]: one } } })],
  });
  await line.apply(withAspect(value), "--yes");
  const before = await line.exported();

  expect(await line.apply(withAspect(none))).toEqual(unconfirmed);
  expect(await line.exported()).toBe(before);
  expect(await line.apply(withAspect(none), "--yes")).toMatchObject({ code: 0 });
});

it("with --prune makes each list that the file has all there is, once it was confirmed", async () => {
  const projects = [projectOf("default", "production")];
  const file = fileOf({ projects, features: [featureOf("checkout", { production: [] })] });

  expect(await line.run("apply --prune", file)).toEqual(unconfirmed);
  expect(line.writes()).toEqual([]);
  const counts = await line.json("apply --prune --yes", file);

  expect(counts).toMatchObject({ created: 0, updated: 2, removed: 1, unchanged: 1 });
  const state = JSON.parse(await line.exported());
  expect(state).toMatchObject({ projects, apiKeys: [{ name: "admin" }] });
  expect(state.features).toEqual([featureOf("checkout", { production: [] }, { tags: [] })]);
  expect((await line.burgee.putTags("search", noTags)).status).toBe(404);
});

it.each([
  ["variants", { ...base, features: [featureOf("checkout", { development: [], production: [] }), search] }],
  ["tags", { ...base, features: [{ ...checkout, tags: [] }, search] }],
])("with --prune removes %s only once it was confirmed", async (_, state) => {
  expect(await line.apply(state, "--prune")).toEqual(unconfirmed);
  expect(line.writes()).toEqual([]);
  expect(await line.json("apply --prune --yes", fileOf(state))).toMatchObject({ updated: 1, removed: 0 });
});

it.each([
  [
    "would move features to another project",
    {
      projects: [projectOf("other", "development", "production")],
      features: ["checkout", "search", "new"].map((name) => ({ name, project: "other" })),
    },
    `${stays}:
  feature "checkout": from project "default" to "other"
  feature "search": from project "default" to "other"`,
  ],
  [
    "would leave a feature in an environment that its project does not have",
    { projects: [projectOf("default", "production")] },
    `the result would be inconsistent:
  feature "checkout": environments/development is not an environment of project "default"
  feature "search": environments/development is not an environment of project "default"`,
  ],
])("is refused before anything is written where it %s", async (_, state, message) => {
  expect(await line.apply(state, "--prune", "--yes")).toEqual(
    refused(`nothing was changed, because ${message}`),
  );
  expect(line.writes()).toEqual([]);
});

it("gives a key of a known name its new value, and the old one ends, once it was confirmed", async () => {
  const file = fileOf({ apiKeys: [{ ...admin, key }] });

  const { out } = await line.run("apply --dry-run", file);
  expect(await line.run("apply", file)).toEqual(unconfirmed);
  expect(line.writes()).toEqual([]);
  await line.run("apply --yes", file);

  expect(out).toMatch(/^\+ key "admin"\n {4}.*\n {4}.*\n- key "admin"\n/);
  expect([await line.statusOf("search"), await line.statusOf("search", key)]).toEqual([401, 201]);
  expect(await line.run("apply", file)).toEqual(done("0 created, 0 updated, 0 removed, 4 unchanged.\n"));
});

const listKeys = (): Promise<{ name: string; state: string; createdAt: string }[]> => line.json("key list");

it("renames a key that the file lists under another name, which keeps its creation time", async () => {
  const [before] = await listKeys();

  const { changes, removed } = await line.json(
    "apply",
    fileOf({ apiKeys: [{ ...admin, name: "operator" }] }),
  );

  const differences = [{ path: ["name"], from: "admin", to: "operator" }];
  const renamed = { action: "update", kind: "apiKey", name: "operator", differences };
  expect({ changes, removed }).toEqual({ changes: [renamed], removed: 0 });
  expect(await line.statusOf("search")).toBe(201);
  expect(await listKeys()).toEqual([{ ...before, name: "operator" }]);
});

it("leaves a retiring key valid when its name gets another key, and accepts an exported one back", async () => {
  await line.run("key rotate admin");
  const exported = await line.exported();

  await line.apply({ apiKeys: [{ ...admin, key }] }, "--yes");
  const listed = await listKeys();
  await line.apply(JSON.parse(exported), "--prune", "--yes");

  expect(listed.map(({ state }) => state)).toEqual(["active", "retiring"]);
  expect(await line.exported()).toBe(exported);
  expect(JSON.parse(exported).apiKeys).toMatchObject([
    { name: "admin", disabled: false },
    { name: "admin", expiresAt: expect.any(String), retiredAt: expect.any(String) },
  ]);
});

it.each([
  ["1 for a file that is not there", "nowhere.json", "--dry-run --exit-code", 1],
  ["2 for wrong usage", fileOf(wanted), "--dry-run --exit-code --purge", 2],
  ["2 for --exit-code without --dry-run", fileOf(wanted), "--exit-code", 2],
  ["3 for differences", fileOf(wanted), "--dry-run --exit-code", 3],
])("exits with %s", async (_, file, options, code) => {
  expect((await line.run(`apply ${options}`, file)).code).toBe(code);
});

const example = readFileSync("infra/examples/github-actions.yml", "utf8");

/** The last step of a job as GitHub runs it, on this table, with a state as its flags.json. */
async function runStep(
  job: string,
  state: unknown,
  admin = "dist/tools/admin.mjs",
): Promise<{ code: number; summary: string }> {
  const { path: cwd, file } = newFolder();
  for (const name of ["package.json", "node_modules", "dist", "infra"])
    symlinkSync(path.resolve(name), path.join(cwd, name));
  file("flags.json", state);
  const summary = file("summary.md", Buffer.of());
  const { wire, session } = line.burgee;
  const { run } = parse(example).jobs[job].steps.at(-1);
  const built = `'${process.execPath}' ${admin} --endpoint ${wire.endpoint}`;
  const script = run.replaceAll("npm run --silent admin --", built);
  const env = { PATH: process.env.PATH, TABLE_NAME: session.table, GITHUB_STEP_SUMMARY: summary };
  const [code] = await once(execFile("bash", ["-e", "-c", script], { cwd, env }), "close");
  return { code, summary: readFileSync(summary, "utf8") };
}

it("the example for GitHub Actions plans with a summary, applies, finds drift, and fails for errors", async () => {
  const planned = await runStep("plan", wanted);
  const codes = [];
  for (const job of ["drift", "apply", "drift"]) codes.push((await runStep(job, wanted)).code);

  expect(planned.code).toBe(0);
  expect(planned.summary).toContain('~ feature "checkout"\n    - tags/simple:team-a');
  expect(codes).toEqual([3, 0, 0]);
  expect((await runStep("plan", { features: 1 })).code).toBe(1);
  expect((await runStep("plan", base, "--eval 'process.exit(137)'")).code).toBe(1);
});

it("the example for GitHub Actions stores no credentials", () => {
  expect(example).not.toMatch(/secrets\.|ACCESS_KEY/);
});

describe("an API key that is limited", () => {
  const limited = {
    name: "limited",
    key: "a-limited-key-of-sixteen-characters",
    permissions: [{ permission: "READ" as const }],
    expiresAt: "2999-01-01T00:00:00Z",
    disabled: true,
  };
  const { name, key: secret } = limited;

  it("stays as it is where the file does not say", async () => {
    await line.apply({ ...base, apiKeys: [limited] });

    expect(await line.apply({ ...base, apiKeys: [{ name, key: secret }] })).toMatchObject({
      code: 0,
      out: expect.stringContaining("0 created, 0 updated, 0 removed"),
    });
  });

  it.each([
    ["is enabled", { disabled: false }],
    ["expires later", { expiresAt: "2999-02-01T00:00:00Z" }],
    ["gets a permission", { permissions: [...limited.permissions, { permission: "ADMIN" as const }] }],
  ])("is asked about before it %s", async (_, stronger) => {
    await line.apply({ ...base, apiKeys: [limited] }, "--yes");
    const before = line.writes().length;

    expect((await line.apply({ ...base, apiKeys: [{ ...limited, ...stronger }] })).code).toBe(1);
    expect(line.writes()).toHaveLength(before);
  });
});
