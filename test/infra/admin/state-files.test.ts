/** State files: which are refused by `apply`, and what `export` gives. */
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { times } from "../../support/patching.ts";
import { featureOf, projectOf, tag, variant } from "../../support/seed.ts";
import {
  done,
  fileOf,
  isScanOfAll,
  newFolder,
  refused,
  run,
  runProcess,
  useCommandLine,
} from "./command-line.ts";

const line = await useCommandLine();

it("a state file is refused whole with every error and its JSON Pointer", async () => {
  const long = "x".repeat(2041);
  const key = "a-key-of-sixteen-characters";
  const permissions = [{ permission: "admin", project: null, environment: 1, env: "x" }];
  const file = fileOf({
    projects: [{ id: "", environments: ["a", "a", "__proto__", long, 1, ""] }],
    features: [
      { name: long, project: "none", tags: [tag("ok", "t")] },
      { name: "lone \ud800", project: "", environments: { a: { variants: [{ name: "v" }] } } },
      featureOf("large", { b: [variant("v", { stickiness: "s".repeat(410_000) })] }, { project: "" }),
      { name: 1, tags: [{ value: "a" }], environments: { development: { variants: [1] } } },
    ],
    apiKeys: [
      { name: "k", key: "short", permissions: Array(101).fill({ permission: "ADMIN" }) },
      { name: "l", key, permissions },
    ],
    segments: [],
  });

  expect(await line.run("apply", file)).toEqual(
    refused(`${file} is not a state file:
  /features/1/name contains a lone surrogate
  /projects/0/id must not be empty
  /projects/0/environments/2 must not be one of __proto__, constructor, prototype
  /projects/0/environments/3 must have at most 1012 bytes
  /projects/0/environments/4 must be a string
  /projects/0/environments/5 must not be empty
  /features/0/name must have at most 2040 bytes
  /features/0/tags/0/type must have 2 to 50 characters
  /features/1/project must not be empty
  /features/1/environments/a/variants/0/weight is required
  /features/2/project must not be empty
  /features/2/environments/b/variants would not fit in a stored item (400 KiB)
  /features/3/name must be a string
  /features/3/project is required
  /features/3/tags/0/value must have 2 to 50 characters
  /features/3/tags/0/type is required
  /features/3/environments/development/variants/0 must be an object
  /apiKeys/0/key must have at least 16 characters
  /apiKeys/0/permissions must have at most 100 permissions
  /apiKeys/1/permissions/0/permission must be one of ADMIN, UPDATE_FEATURE, UPDATE_FEATURE_VARIANTS, UPDATE_FEATURE_ENVIRONMENT_VARIANTS
  /apiKeys/1/permissions/0/project must be a string
  /apiKeys/1/permissions/0/environment must be a string
  /apiKeys/1/permissions/0/env is not a known member
  /segments is not a known member`),
  );
  expect(line.burgee.wire.calls).toEqual([]);
});

it("apply prints the first errors where 1,000 environments are unknown", async () => {
  const environments = Object.fromEntries(times(1000, (index) => [`e${index}`, { variants: [] }]));
  const features = [{ name: "f", project: "p", environments }];

  const { code, err } = await line.apply({ projects: [projectOf("p", "e")], features });

  const [, first, ...lines] = err.trimEnd().split("\n");
  const unknown = '  /features/0/environments/e0 is not an environment of project "p"';
  expect({ code, first }).toEqual({ code: 1, first: unknown });
  expect(lines).toHaveLength(100);
  expect(lines.at(-1)).toBe("  and at least 900 more");
});

it.each([
  ["apply -", "{", "standard input is not JSON: "],
  ["import-unleash -", "[]", "standard input is not an export of Unleash's features:"],
])("`%s` names standard input when it refuses %s", async (given, input, message) => {
  const { code, err } = await runProcess(given.split(" "), { input });

  expect(code).toBe(1);
  expect(err.startsWith(`burgee: ${message}`)).toBe(true);
});

it.each([
  ['{"apiKeys":[\n{"name":"ci",\n"key":"abcd"efghijklmnop"}]}', "Expected"],
  ['{"apiKeys":[\n{"name":"ci",\n"key":abcdefghijklmnop}]}', "Unexpected token 'a' in line 3"],
  ['{"apiKeys":[\n{"name":"ci","key":\nabcdefgh', "Unexpected token 'a' in line 3"],
  ["[abcdefghijklmnopqrstuvw]", "Unexpected token 'a'"],
  ["[abcdefgh]", "Unexpected token 'a'"],
])("a state file that is not JSON is refused without a part of a key: %j", async (text, message) => {
  const { err } = await line.run("apply", fileOf(Buffer.from(text)));

  const [, problem = ""] = err.split("state.json is not JSON: ");
  expect(problem).toContain(message);
  expect(problem).not.toMatch(/bcd|fgh/);
});

it.each([
  ["is not there", "/nowhere/state.json", "/nowhere/state.json cannot be read: ENOENT"],
  ["is not JSON", fileOf(Buffer.from("{")), "state.json is not JSON: "],
  ["is not UTF-8", fileOf(Buffer.from([0x22, 0xe9, 0x22])), "state.json is not JSON: "],
])("a state file is refused whole where it %s", async (_, file, message) => {
  const { code, err } = await line.run("apply", file);

  expect(code).toBe(1);
  expect(err.startsWith("burgee: ")).toBe(true);
  expect(err).toContain(message);
});

it("export gives a file that makes the same of an empty table, from where it is exported as the same text", async () => {
  const overrides = [{ values: ["u1"], contextName: "userId" }];
  const payload = { value: "{}", type: "json" };
  const fixed = variant("json", { weight: 7, weightType: "fix", overrides, payload });
  const project = "zoë";
  const permissions = [{ environment: "é", project, permission: "ADMIN" }];
  const key = "a-key-of-sixteen-characters";
  await line.burgee.store({
    projects: [projectOf(project, "10", "2", "é"), projectOf("p".repeat(2040), "e".repeat(1012))],
    features: [
      featureOf("ﬀ \u{1f3f4} a/b%", { "2": [fixed], é: [] }, { project, tags: [tag("q4 "), tag("q4")] }),
      featureOf("none", {}, { project }),
      { name: "f".repeat(2040), project: "p".repeat(2040) },
    ],
    apiKeys: [{ name: "soon", key, permissions, expiresAt: "2031-01-01T00:00:00+02:00", disabled: true }],
  });
  const first = await line.exported();
  const elsewhere = line.at(`${line.burgee.session.table}-again`);

  const applied = await runProcess([...elsewhere, "apply", "-"], { input: first });

  expect(applied).toMatchObject({ code: 0, out: "7 created, 0 updated, 0 removed, 0 unchanged.\n" });
  expect(await run([...elsewhere, "export"])).toEqual(done(first));
  expect(first).not.toContain(key);
  const keyHash = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(JSON.parse(first).apiKeys[1]).toMatchObject({ name: "soon", keyHash });
});

it("export reads a table of several pages whole, and as it is at that moment", async () => {
  const names = times(4, (index) => `large-${index}`);
  const large = [variant("blue", { payload: { type: "string", value: "x".repeat(350_000) } })];
  await line.burgee.store({
    projects: [projectOf("large", "a")],
    features: names.map((name) => featureOf(name, { a: large }, { project: "large" })),
  });

  const { features } = JSON.parse(await line.exported());

  expect(features.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(names));
  const scans = line.burgee.wire.calls.filter(isScanOfAll);
  expect(scans.length).toBeGreaterThan(1);
  expect(scans.every(({ input }) => input.ConsistentRead)).toBe(true);
});

it("export - writes to the standard output", async () => {
  expect(await line.run("export -")).toEqual(done(await line.exported()));
});

it("export writes to a file that others cannot read", async () => {
  const target = `${newFolder().path}/out.json`;

  expect(await line.run("export", target)).toEqual({ ...done(), err: `Written to ${target}.\n` });
  expect(readFileSync(target, "utf8")).toBe(await line.exported());
  expect(statSync(target).mode & 0o077).toBe(0);

  chmodSync(target, 0o644);
  const link = `${newFolder().path}/link.json`;
  symlinkSync(target, link);
  await line.run("export", link);
  expect(statSync(target).mode & 0o077).toBe(0);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

// Other users cannot give a file away.
it.runIf(process.getuid?.() === 0)("export by root keeps the owner of a file", async () => {
  const file = fileOf({});
  chownSync(file, 65_534, 65_533);

  expect(await line.run("export", file)).toMatchObject({ code: 0 });

  expect(statSync(file)).toMatchObject({ uid: 65_534, gid: 65_533 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("export writes the missing file that a link points to", async () => {
  const folder = newFolder().path;
  const link = path.join(folder, "link.json");
  symlinkSync("missing.json", link);

  expect(await line.run("export", link)).toMatchObject({ code: 0 });

  expect(readFileSync(path.join(folder, "missing.json"), "utf8")).toBe(await line.exported());
  expect(statSync(link).mode & 0o077).toBe(0);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

it("export of a document for an SDK keeps the mode of a file", async () => {
  await line.apply({ projects: [projectOf("p", "e")] });
  const file = fileOf({});
  chmodSync(file, 0o666);

  await line.run("export --as flagd --environment e", file);

  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ flags: {} });
  expect(statSync(file).mode & 0o777).toBe(0o666);
});

it("export writes into a file that is a mount, which cannot be replaced", async () => {
  const refuse = `fs.renameSync = () => { throw Object.assign(new Error("EBUSY"), { code: "EBUSY" }); };`;
  const code = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; ${refuse} syncBuiltinESMExports();`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(code)}`;
  const file = fileOf({});
  chmodSync(file, 0o644);
  const { ino } = statSync(file);

  const ended = await runProcess([...line.at(), "export", file], { NODE_OPTIONS });

  expect(ended).toEqual({ ...done(), err: `Written to ${file}.\n` });
  expect(readFileSync(file, "utf8")).toBe(await line.exported());
  expect(statSync(file).ino).toBe(ino);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readdirSync(path.dirname(file))).toEqual(["state.json"]);
});

// A folder is never read-only for root.
it.skipIf(process.getuid?.() === 0)("export writes into a file of a read-only folder", async () => {
  const file = fileOf({});
  const folder = path.dirname(file);
  onTestFinished(() => chmodSync(folder, 0o755));
  chmodSync(folder, 0o555);

  expect(await line.run("export", file)).toMatchObject({ code: 0 });

  expect(readFileSync(file, "utf8")).toBe(await line.exported());
});
