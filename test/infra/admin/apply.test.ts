/** `apply FILE`: what it creates, updates and removes, what it makes of API keys, and how it serves a pipeline. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { adminKey } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { featureOf, projectOf, tag, variant } from "../../support/seed.ts";
import type { Call } from "../../support/wire.ts";
import {
  done,
  fileOf,
  freshCommandLine,
  isPut,
  newFolder,
  noTags,
  refused,
  unconfirmed,
} from "./command-line.ts";

const blueAndGreen = [variant("blue", { weight: 600 }), variant("green", { weight: 400 })];
const blueAndRed = [variant("blue", { weight: 700 }), variant("red", { weight: 300 })];
const threeEnvironments = ["development", "staging", "production"];
const search = { name: "search", project: "default" };
const admin = { name: "admin", key: adminKey, permissions: [{ permission: "ADMIN" }] };
const key = "another-key-of-the-admin";

const lists = { development: blueAndGreen, production: [variant("blue")] };
const base = {
  projects: [{ id: "default", environments: ["development", "production"] }],
  features: [featureOf("checkout", lists, { tags: [tag("team-a")] }), search],
};

const newLists = { development: blueAndRed, staging: [] };
const wanted = {
  projects: [projectOf("default", ...threeEnvironments)],
  features: [featureOf("checkout", newLists, { tags: [tag("team-b")] }), search],
};

const line = freshCommandLine(base);

/** A change as --json has it. */
function update(kind: string, name: string, ...differences: object[]) {
  return { action: "update", kind, name, differences };
}

it("writes nothing where all is as it should be", async () => {
  expect(await line.apply(base)).toEqual(done("0 created, 0 updated, 0 removed, 4 unchanged.\n"));
  expect(line.writes()).toEqual([]);
});

it("creates what is new, changes what is different, and removes nothing", async () => {
  const file = fileOf({
    projects: [...wanted.projects, projectOf("other")],
    features: [
      featureOf("checkout", { development: blueAndRed }, { tags: [tag("team-b")] }),
      featureOf("new", { staging: [variant("a", { weight: 1 })] }),
      search,
    ],
    apiKeys: [{ name: "ci", key: "a-key-of-sixteen-characters" }],
  });
  const dryRun = await line.run("apply --dry-run", file);
  expect(line.writes()).toEqual([]);

  const applied = await line.run("apply", file);

  expect(dryRun).toEqual(
    done(`~ project "default"
    + environments/staging
+ project "other"
~ feature "checkout"
    + tags/simple:team-b
    ~ environments/development/blue/weight: 600 -> 700
    - environments/development/green
    + environments/development/red: {"weight":300,"weightType":"variable","stickiness":"default"}
~ feature "search"
    + environments/staging
+ feature "new"
    + project: "default"
    + environments/staging: {"a":{"weight":1,"weightType":"variable","stickiness":"default"}}
+ key "ci"
    + permissions: []
Dry run, nothing was changed: 3 created, 3 updated, 0 removed, 1 unchanged.
`),
  );
  expect(applied).toEqual(done("3 created, 3 updated, 0 removed, 1 unchanged.\n"));
  expect((await line.burgee.putTags("checkout", noTags)).json.tags).toEqual([tag("team-a"), tag("team-b")]);
  // Given as they are: weights are not normalised, and the handlers go on from there.
  const { variants } = await line.burgee.storedEnvironment("new", "staging");
  expect(variants).toEqual([variant("a", { weight: 1 })]);
  expect((await line.burgee.storedFeature("search")).environments).toEqual(threeEnvironments);
  expect(await line.burgee.storedEnvironment("checkout", "development")).toMatchObject({ revision: 2 });
  expect(await line.burgee.storedEnvironment("checkout", "production")).toMatchObject({ revision: 1 });
});

it("gives a feature without environments also those of its project that the file does not name", async () => {
  const file = {
    projects: [projectOf("default", "production")],
    features: [{ name: "new", project: "default" }],
  };

  expect(await line.apply(file)).toMatchObject({ code: 0 });

  expect((await line.burgee.storedFeature("new")).environments).toEqual(["production", "development"]);
});

const isOfFeature = ({ operation, input }: Call) =>
  operation === "PutItem" && JSON.stringify(input).includes('"FEATURE"');

it.each([
  [
    "variants",
    ({ operation, input }: Call) => operation === "UpdateItem" && JSON.stringify(input).includes("red"),
  ],
  ["tags", isOfFeature],
])("refuses to overwrite %s that were changed after it was read", async (what, isWrite) => {
  const features = [featureOf("checkout", { development: [variant("red")] }, { tags: [tag("team-b")] })];
  line.burgee.wire.beforeFirst(isWrite, () =>
    what === "tags"
      ? line.burgee.putTags("checkout", { addedTags: [tag("other")], removedTags: [] })
      : line.burgee.patch("checkout", [add("/-", { name: "other", weight: 1 })]),
  );

  expect(await line.apply({ ...base, features })).toEqual(
    refused('feature "checkout": it was changed concurrently; run the command again'),
  );
  expect(await line.exported()).toContain("other");
  expect(await line.apply({ ...base, features })).toMatchObject({ code: 0 });
});

it("refuses to overwrite the environments of a feature that were changed after it was read", async () => {
  const file = fileOf({
    projects: [projectOf("default", "development", "production", "test")],
    features: [{ ...search, tags: [tag("team-b")] }],
  });
  line.burgee.wire.beforeFirst(
    (call) => isOfFeature(call) && JSON.stringify(call.input).includes("search"),
    () => line.run("project put default", "development", "production", "test", "staging"),
  );

  expect(await line.run("apply", file)).toEqual(
    refused('feature "search": it was changed concurrently; run the command again'),
  );
  expect(JSON.parse((await line.run("feature show search --json")).out).environments).toHaveProperty(
    "staging",
  );
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

const stays = "a feature stays in its project: delete it (`feature delete`), then create it in the other one";

it("refuses to move features to another project before anything is written, all of them at once", async () => {
  const project = "other";
  const projects = [projectOf(project, "development", "production")];
  const features = ["checkout", "search", "new"].map((name) => ({ name, project }));

  expect(await line.apply({ projects, features }, "--prune", "--yes")).toEqual(
    refused(`nothing was changed, because ${stays}:
  feature "checkout": from project "default" to "other"
  feature "search": from project "default" to "other"`),
  );
  expect(line.writes()).toEqual([]);
});

it.each([
  ["variants", { ...base, features: [{ ...base.features[0], environments: undefined }, search] }],
  ["tags", { ...base, features: [{ ...base.features[0], tags: [] }, search] }],
  ["an environment of a project", { projects: [projectOf("default", "development")] }],
])("with --prune removes %s only once it was confirmed", async (what, state) => {
  if (what.startsWith("an ")) await line.apply({ features: [] }, "--prune", "--yes");
  line.burgee.wire.reset();

  expect(await line.apply(state, "--prune")).toEqual(unconfirmed);
  expect(line.writes()).toEqual([]);
  expect(await line.json("apply --prune --yes", fileOf(state))).toMatchObject({ updated: 1, removed: 0 });
});

it("refuses what would leave a feature in an environment that its project does not have", async () => {
  const projects = [projectOf("default", "production")];

  expect(await line.apply({ projects }, "--prune", "--yes")).toEqual(
    refused(`nothing was changed, because the result would be inconsistent:
  feature "checkout": environment "development" is not an environment of project "default"
  feature "search": environment "development" is not an environment of project "default"`),
  );
  expect(line.writes()).toEqual([]);
});

it("leaves no API key valid with --prune and an empty list of keys", async () => {
  expect(await line.apply({ apiKeys: [] }, "--prune", "--yes")).toMatchObject({ code: 0 });
  expect(await line.statusOf("search")).toBe(401);
});

it("gives a key of a known name its new value, and the old one ends, once it was confirmed", async () => {
  const file = fileOf({ apiKeys: [{ ...admin, key }] });

  const { out } = await line.run("apply --dry-run", file);
  expect(await line.run("apply", file)).toEqual(unconfirmed);
  expect(line.writes()).toEqual([]);
  await line.run("apply --yes", file);

  expect(out).toContain('~ key "admin"\n    another key: the old one is revoked\n');
  expect([await line.statusOf("search"), await line.statusOf("search", key)]).toEqual([401, 201]);
  expect(await line.run("apply", file)).toEqual(done("0 created, 0 updated, 0 removed, 4 unchanged.\n"));
});

it("asks before a key that gets the name of another, or is current again, ends that one", async () => {
  const beforeRotation = fileOf({ apiKeys: [admin] });
  const renamed = fileOf({ apiKeys: [{ name: "admin", key }] });
  await line.apply({ apiKeys: [{ name: "ci", key }] });
  const {
    changes: [ofRenamed],
  } = await line.json("apply --dry-run", renamed);
  await line.run("key rotate admin");
  const { out } = await line.run("apply --dry-run", beforeRotation);

  expect(ofRenamed.differences).toContainEqual(expect.objectContaining({ path: ["keyHash"] }));
  expect(out).toContain("    another key: the old one is revoked\n");
  expect(out).toContain("    - retiredAt\n");
  for (const file of [renamed, beforeRotation]) expect(await line.run("apply", file)).toEqual(unconfirmed);
});

const listKeys = (): Promise<{ name: string; state: string; createdAt: string }[]> => line.json("key list");

it("renames a key that the file lists under another name, which keeps its creation time", async () => {
  const [before] = await listKeys();
  const file = fileOf({ apiKeys: [{ ...admin, name: "operator" }] });
  const { changes, removed } = await line.json("apply", file);

  const difference = { path: ["name"], from: "admin", to: "operator" };
  expect({ changes, removed }).toEqual({ changes: [update("apiKey", "operator", difference)], removed: 0 });
  expect(await line.statusOf("search")).toBe(201);
  expect(await listKeys()).toEqual([{ ...before, name: "operator" }]);
});

it("leaves a retiring key valid when its name gets another key, and accepts an exported one back", async () => {
  await line.run("key rotate admin");
  const exported = await line.exported();

  const replaced = await line.json("apply --yes", fileOf({ apiKeys: [{ ...admin, key }] }));
  const listed = await listKeys();
  const { changes } = await line.json("apply --prune --yes", fileOf(JSON.parse(exported)));

  expect(replaced).toMatchObject({ created: 0, updated: 1, removed: 0 });
  expect(listed.map(({ state }) => state)).toEqual(["active", "retiring"]);
  expect(changes).toMatchObject([{ action: "update", differences: [{ path: ["keyHash"] }] }]);
  expect(await line.exported()).toBe(exported);
  expect(JSON.parse(exported).apiKeys).toMatchObject([
    { name: "admin", disabled: false },
    { name: "admin", expiresAt: expect.any(String), retiredAt: expect.any(String) },
  ]);
});

it("brings a revoked key back when the file has it, created anew", async () => {
  const [before] = await listKeys();
  await line.run("key revoke admin --yes");

  expect(await line.apply({ apiKeys: [admin] })).toEqual(
    done("1 created, 0 updated, 0 removed, 3 unchanged.\n"),
  );
  expect(await line.statusOf("search")).toBe(201);
  expect((await listKeys())[0]?.createdAt).not.toBe(before?.createdAt);
});

it.each([
  ["revoke a replaced key that was rotated", "key rotate admin", { ...admin, key }, 3],
  ["overwrite a key that was revoked", "key revoke admin --yes", { ...admin, permissions: [] }, 0],
])("refuses to %s after it was read", async (_, command, apiKey, left) => {
  line.burgee.wire.beforeFirst(isPut, () => line.run(command));

  expect(await line.apply({ apiKeys: [apiKey] }, "--yes")).toEqual(
    refused('key "admin": it was changed concurrently; run the command again'),
  );
  expect(JSON.parse(await line.exported()).apiKeys).toHaveLength(left);
});

const isOfProject = ({ operation, input }: Call) =>
  operation !== "Scan" && JSON.stringify(input).includes("PROJECT#default");

it.each([
  ["overwrite", { projects: [projectOf("default", "development", "production", "other")] }, []],
  ["remove", { projects: [], features: [] }, ["--prune", "--yes"]],
])("refuses to %s a project that was changed after it was read", async (_, state, options) => {
  const put = () => line.run("project put default", ...threeEnvironments);
  line.burgee.wire.beforeFirst(isOfProject, put);

  expect(await line.apply(state, ...options)).toEqual(
    refused('project "default": it was changed concurrently; run the command again'),
  );
  expect(JSON.parse(await line.exported()).projects).toEqual([projectOf("default", ...threeEnvironments)]);
});

it("writes a project whose first response is lost", async () => {
  line.burgee.wire.decide((call) => (isOfProject(call) && call.attempt === 1 ? "lose the answer" : "pass"));

  expect(await line.apply(wanted)).toMatchObject({ code: 0 });
  expect(await line.apply({ projects: [], features: [] }, "--prune", "--yes")).toMatchObject({ code: 0 });
});

it.each([
  ["0 without differences", fileOf(base), "--dry-run --exit-code", 0],
  ["2 with differences", fileOf(wanted), "--dry-run --exit-code", 2],
  ["2 with differences, as JSON", fileOf(wanted), "--dry-run --exit-code --json", 2],
  ["0 with differences that nothing asked to report", fileOf(wanted), "--dry-run", 0],
  ["1 for a file that is not there", "nowhere.json", "--dry-run --exit-code", 1],
  ["1 for wrong usage", fileOf(wanted), "--dry-run --exit-code --purge", 1],
  ["1 without --dry-run", fileOf(wanted), "--exit-code", 1],
  ["2 for wrong usage without --exit-code", fileOf(wanted), "--dry-run --purge", 2],
])("exits with %s", async (_, file, options, code) => {
  expect((await line.run(`apply ${options}`, file)).code).toBe(code);
});

it("has each difference as data with --json: path, from and to", async () => {
  const { changes } = await line.json("apply --prune --dry-run", fileOf(wanted));

  const { name: _, ...red } = variant("red", { weight: 300 });
  const { name: __, ...green } = variant("green", { weight: 400 });
  const { name: ___, ...blue } = variant("blue");
  const added = { path: ["environments", "staging"], to: {} };
  expect(changes).toEqual([
    update("project", "default", added),
    update(
      "feature",
      "checkout",
      { path: ["tags", "simple:team-a"], from: {} },
      { path: ["tags", "simple:team-b"], to: {} },
      { path: ["environments", "development", "blue", "weight"], from: 600, to: 700 },
      { path: ["environments", "development", "green"], from: green },
      { path: ["environments", "development", "red"], to: red },
      { path: ["environments", "production"], from: { blue } },
      added,
    ),
    update("feature", "search", added),
  ]);
});

it("shows that the order of environments or variants is all that changes", async () => {
  const development = blueAndGreen.toReversed();
  const [checkout] = base.features;
  const reordered = fileOf({
    projects: [projectOf("default", "production", "development")],
    features: [
      {
        ...checkout,
        environments: {
          ...featureOf("checkout", lists).environments,
          development: { variants: development },
        },
      },
    ],
  });

  const { out } = await line.run("apply --dry-run", reordered);

  expect(out).toContain('environments/order: ["development","production"] -> ["production","development"]\n');
  expect(out).toContain('environments/development/order: ["blue","green"] -> ["green","blue"]\n');
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

it("the example for GitHub Actions plans with a summary, and fails for errors alone", async () => {
  const changed = await runStep("plan", wanted);

  expect(changed.code).toBe(0);
  expect((await runStep("plan", base)).code).toBe(0);
  expect((await runStep("plan", { features: 1 })).code).toBe(1);
  expect((await runStep("plan", base, "--eval 'process.exit(137)'")).code).toBe(1);
  expect(changed.summary).toContain('~ feature "checkout"\n    - tags/simple:team-a');
});

it("the example for GitHub Actions applies, after which there is no drift", async () => {
  const codes = [];
  for (const job of ["drift", "apply", "drift"]) codes.push((await runStep(job, wanted)).code);

  expect(codes).toEqual([2, 0, 0]);
});

it("the example for GitHub Actions names scripts that are there, and stores no credentials", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const named = [...example.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name);

  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  expect(example).not.toMatch(/secrets\.|ACCESS_KEY/);
});
