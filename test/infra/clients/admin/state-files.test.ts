/** State files: which are refused by `apply`, and what `export` gives. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { times } from "../../../support/patching.ts";
import { featureOf, projectOf, tag, variant } from "../../../support/seed.ts";
import type { Call } from "../../../support/wire.ts";
import {
  done,
  fileOf,
  isPut,
  isScanOfAll,
  misused,
  newFolder,
  refused,
  run,
  runProcess,
  useCommandLine,
} from "./command-line.ts";

const line = await useCommandLine();

it("a state file is refused whole with every error and its JSON Pointer", async () => {
  const file = fileOf({
    projects: [{ id: "", environments: ["a"] }],
    features: [{ name: "lone \ud800", project: "a", environments: { a: { variants: [{ name: "v" }] } } }],
    segments: [],
  });

  expect(await line.run("apply", file)).toEqual(
    refused(`${file} is not a state file:
  /features/0/name contains a lone surrogate
  /segments is not a known member
  /projects/0/id must not be empty
  /features/0/environments/a/variants/0/weight is required`),
  );
  expect(line.burgee.wire.calls).toEqual([]);
});

it.each([
  ["apply -", "{", "standard input is not JSON: "],
  ["import-unleash -", "[]", "standard input is not an export of Unleash's features:"],
])("`%s` names standard input when it refuses %s", async (given, input, message) => {
  const { code, err } = await runProcess(given.split(" "), { input });

  expect(code).toBe(1);
  expect(err.startsWith(`burgee: ${message}`)).toBe(true);
});

it.each(["apply"])("`%s` refuses a file of 20,000 levels in one line", async (given) => {
  await line.apply({ projects: [projectOf("default", "development")] });
  const file = newFolder().file("deep.json", Buffer.from("[".repeat(20_000) + "]".repeat(20_000)));

  expect(await line.run(given, file)).toEqual(refused(`${file} is nested deeper than 1000 levels`));
});

it.each([
  ['{"apiKeys":[\n{"name":"ci",\n"key":"abcd"efghijklmnop"}]}', "Expected"],
  ['{"apiKeys":[\n{"name":"ci",\n"key":abcdefghijklmnop}]}', "Unexpected token 'a'"],
  ['{"apiKeys":[\n{"name":"ci","key":\nabcdefgh', "Unexpected token 'a'"],
  ["[abcdefgh]", "Unexpected token 'a'"],
])("a state file that is not JSON is refused without a part of a key: %j", async (text, message) => {
  const { err } = await line.run("apply", fileOf(Buffer.from(text)));

  const [, problem = ""] = err.split("state.json is not JSON: ");
  expect(problem).toContain(message);
  expect(problem).not.toMatch(/bcd|fgh/);
});

it.each([
  ["is not there", "/nowhere/state.json", "/nowhere/state.json cannot be read: there is no such file"],
  [
    "is not UTF-8",
    fileOf(Buffer.from([0x22, 0xe9, 0x22])),
    "state.json is not JSON: The encoded data was not valid",
  ],
])("a state file is refused where it %s", async (_, file, message) => {
  const { code, err } = await line.run("apply", file);

  expect(code).toBe(1);
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
    projects: [projectOf(project, "10", "2", "é"), projectOf("p".repeat(1000), "e".repeat(1000))],
    features: [
      featureOf(
        "ﬀ \u{1f3f4} a/b%",
        { "2": [fixed, variant("rest", { weight: 993 })], é: [] },
        { project, tags: [tag("q4 "), tag("q4")] },
      ),
      featureOf("none", {}, { project }),
      { name: "f".repeat(1000), project: "p".repeat(1000) },
    ],
    apiKeys: [{ name: "soon", key, permissions, expiresAt: "2031-01-01T00:00:00+02:00", disabled: true }],
  });
  const first = await line.exported();
  const elsewhere = line.at(`${line.burgee.session.table}-again`);

  const applied = await runProcess([...elsewhere, "apply", "-"], { input: first });

  expect(applied).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^7 created, 0 updated, 0 removed, 0 unchanged\.\n/m),
  });
  expect(await run([...elsewhere, "export"])).toEqual(done(first));
  expect(first).not.toContain(key);
  const keyHash = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(JSON.parse(first).apiKeys[1]).toMatchObject({ name: "soon", keyHash });
});

it.each([
  ["--environment production", "--environment needs --as: a state file has all environments"],
  ["--project default", "--project needs --as or --url: a state file of a table has all projects"],
  ["--strict", "--strict needs --as: a state file leaves nothing out"],
])("export refuses %s without --as", async (option, message) => {
  expect(await line.run(`export ${option}`)).toEqual(misused(message));
});

it("export gives a file that can be applied while an environment is being added to features", async () => {
  await line.burgee.store({
    projects: [projectOf("growing", "a")],
    features: [featureOf("f", { a: [] }, { project: "growing" })],
  });
  const isOfProject = (call: Call) => isPut(call) && JSON.stringify(call.input).includes("PROJECT#growing");
  line.burgee.wire.decide((call) => (isOfProject(call) ? { error: "AccessDeniedException" } : "pass"));
  expect(await line.run("project put growing a b")).toMatchObject({ code: 1 });

  const exported = await line.exported();

  line.burgee.wire.reset();
  expect(await line.run("apply", fileOf(JSON.parse(exported)))).toMatchObject({
    code: 0,
    out: expect.stringContaining('~ project "growing"\n    + environments/b\n'),
  });
  expect(await line.exported()).toBe(exported);
});

it("export is refused while a key replaces another of its name, as `apply` would refuse the file", async () => {
  const withKey = (key: string) => fileOf({ apiKeys: [{ name: "ci", key }] });
  await line.run("apply", withKey("a-key-of-sixteen-characters"));
  const isRevoking = (call: Call) => isPut(call) && JSON.stringify(call.input).includes("revokedAt");
  line.burgee.wire.decide((call) => (isRevoking(call) ? { error: "AccessDeniedException" } : "pass"));
  const replace = ["apply --yes", withKey("another-key-of-sixteen-characters")];
  expect(await line.run(...replace)).toMatchObject({ code: 1 });
  line.burgee.wire.reset();

  const { code, out, err } = await line.run("export");

  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain('there are two keys "ci"');
  expect(await line.run(...replace)).toMatchObject({ code: 0 });
  expect(await line.run("export")).toMatchObject({ code: 0 });
});

it("export reads several pages of the index, and no changes", async () => {
  const names = times(7, (index) => `large-${index}`);
  const large = [variant("blue", { payload: { type: "string", value: "x".repeat(180_000) } })];
  await line.burgee.store({
    projects: [projectOf("large", "a")],
    features: names.map((name) => featureOf(name, { a: large }, { project: "large" })),
  });

  const { features } = JSON.parse(await line.exported());

  expect(features.map(({ name }: { name: string }) => name)).toEqual(names);
  const { calls } = line.burgee.wire;
  expect(calls.filter(({ input }) => input.ExclusiveStartKey).length).toBeGreaterThan(0);
  expect(calls.filter(isScanOfAll)).toEqual([]);
});

it("export writes to a file that others cannot read", async () => {
  const target = `${newFolder().path}/out.json`;

  expect(await line.run("export", path.relative("", target))).toEqual({
    ...done(),
    err: `Written to ${target}.\n`,
  });
  expect(readFileSync(target, "utf8")).toBe(await line.exported());
  expect(statSync(target).mode & 0o077).toBe(0);
});

it("a state file has strategies and targeting, and applies to itself without a difference", async () => {
  const strategies = [
    {
      ...{ id: "s1", name: "flexibleRollout", sortOrder: 1, parameters: { rollout: "25" } },
      constraints: [{ contextName: "plan", operator: "IN", values: ["pro"] }],
      variants: [],
    },
  ];
  const targeting = { targeting: { if: [{ var: "x" }, "a"] }, defaultVariant: null };
  const content = { enabled: true, variants: [variant("a")], dependencies: [] };
  const features = [
    featureOf("plain", { production: [] }, { tags: [] }),
    {
      name: "rules",
      project: "default",
      tags: [],
      environments: { production: { ...content, strategies, targeting } },
    },
  ];
  await line.apply({ projects: [projectOf("default", "production")], features });

  const exported = await line.exported();
  const file = fileOf(JSON.parse(exported));
  const again = await line.run("apply", file, "--prune");
  const without = {
    ...features[1],
    environments: { production: { ...content, strategies: [], targeting: null } },
  };
  const removed = await line.run(
    "apply --yes",
    fileOf({ projects: [projectOf("default", "production")], features: [without] }),
  );

  expect(JSON.parse(exported).features).toEqual(features);
  expect(again.out).toContain("0 created, 0 updated, 0 removed");
  expect(removed.out).toContain("- environments/production/strategies");
  expect(removed.out).toContain("- environments/production/targeting");
});
