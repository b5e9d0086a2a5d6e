/** `import-unleash`: what a running Unleash 6.10.1 exported, what it could have, and the same again. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, it } from "vitest";
import { variant } from "../../support/seed.ts";
import { freshCommandLine, newFolder, run } from "./command-line.ts";
import { exportOf, recorded } from "./unleash-export.ts";

const folder = newFolder();

const line = freshCommandLine();

it("takes over what Unleash exported, and the handlers go on from there", async () => {
  const { code, out, err } = await line.run("import-unleash", ...recorded);

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(`5 created, 0 updated, 0 removed, 1 unchanged.

LEFT OUT              WHY                                       WHICH
featureStrategies  1  not kept by Burgee                        flexibleRollout of checkout-button (55f5a6c1)
contextFields      3  not kept by Burgee                        appName, sessionId, userId
tagTypes           2  not kept by Burgee                        simple, team
description        1  not kept for a feature                    checkout-button
type               4  not kept for a feature                    checkout-button, only-tags, plain-flag, and 1 more
impressionData     1  not kept for a feature                    checkout-button
stale              1  not kept for a feature                    plain-flag
enabled            8  features are not switched on or off here  checkout-button in development, only-tags in development, plain-flag in development, and 5 more
`);
  expect(await line.json("project", "list")).toEqual([
    { id: "default", environments: ["development", "production"] },
  ]);
  expect((await line.burgee.storedEnvironment("checkout-button", "production")).variants).toEqual([
    variant("blue", { weight: 100 }),
    variant("control", { weight: 900, weightType: "fix" }),
  ]);
  const { json } = await line.burgee.putTags("only-tags", { addedTags: [], removedTags: [] });
  expect(json.tags).toEqual([
    { type: "simple", value: "q4" },
    { type: "simple", value: "q4 " },
    { type: "team", value: "growth" },
  ]);
  const tagged = await line.burgee.putTags("search.ranking_v2", { addedTags: [], removedTags: [] });
  expect(tagged.json.tags).toEqual([{ type: "simple", value: "Suche für München" }]);
  const patched = await line.burgee.patch("checkout-button", [
    { op: "replace", path: "/0/stickiness", value: "userId" },
  ]);
  expect(patched).toMatchObject({
    status: 200,
    json: {
      variants: [
        { name: "blue", payload: { value: "#0000ff" } },
        { name: "green", overrides: [{ values: ["u1", "u2"] }] },
      ],
    },
  });
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
      { what: "project", from: null, to: "default" },
      { what: "tag", to: { type: "simple", value: "checkout" } },
      { what: "tag", to: { type: "team", value: "payments" } },
      { what: "environment", where: "development", to: [{ name: "blue", weight: 500 }, { name: "green" }] },
      { what: "environment", where: "production", to: [{ name: "blue", weight: 100 }, { name: "control" }] },
    ],
  });
  expect(leftOut[1]).toEqual({
    what: "contextFields",
    why: "not kept by Burgee",
    count: 3,
    which: ["appName", "sessionId", "userId"],
  });
  expect(line.writes()).toEqual([]);
});

it("keeps the order of a project that is there, adds to what is there, and takes nothing away", async () => {
  await line.burgee.store({
    projects: [
      { id: "default", environments: ["production", "development"] },
      { id: "else", environments: ["e"] },
    ],
    features: [
      {
        name: "a",
        project: "default",
        tags: [{ type: "simple", value: "ours" }],
        environments: {
          production: { variants: [variant("kept")] },
          development: { variants: [variant("old")] },
        },
      },
      { name: "theirs", project: "else" },
    ],
  });
  const files = [
    exportOf(folder, "staging", {
      environment: "staging",
      lists: { a: [variant("s")], theirs: [] },
      tags: [["a", "simple", "new"]],
    }),
    exportOf(folder, "development", { lists: { a: [variant("d")] } }),
  ];

  const { leftOut } = await line.json("import-unleash", ...files);

  expect(leftOut).toEqual([
    {
      what: "features",
      why: 'they are in project "else" already, and not in "default"',
      count: 1,
      which: ["theirs"],
    },
  ]);
  const { projects, features } = JSON.parse(await line.exported());
  expect(projects[0]).toEqual({ id: "default", environments: ["production", "development", "staging"] });
  expect(features[0]).toEqual({
    name: "a",
    project: "default",
    tags: [
      { type: "simple", value: "new" },
      { type: "simple", value: "ours" },
    ],
    environments: {
      production: { variants: [variant("kept")] },
      development: { variants: [variant("d")] },
      staging: { variants: [variant("s")] },
    },
  });
  expect((await line.burgee.storedEnvironment("a", "development")).revision).toBe(2);
});

it("leaves out what cannot be taken, says why, and takes the rest", async () => {
  const file = exportOf(folder, "odd", {
    features: [
      ...["good", "bad", "nulls"].map((name) => ({ name, project: "default", archived: false })),
      { name: "gone", project: "default", archived: true },
      { name: "x".repeat(2041), project: "default", archived: false },
    ],
    lists: {
      good: [variant("v")],
      bad: [variant("fine", { weight: 500 }), variant("not fine", { weight: 1500 })],
      nulls: [{ ...variant("v"), payload: null, overrides: null }],
      gone: [],
    },
    tags: [
      ["good", "t", "short-type"],
      ["good", "simple", "kept"],
    ],
    more: {
      segments: [{ id: 1, name: "beta" }],
      dependencies: [{ feature: "good", dependencies: [] }],
      links: [{}],
    },
  });

  const { leftOut } = await line.json("import-unleash", file);

  expect(leftOut).toEqual([
    { what: "features", why: "they are archived", count: 1, which: ["gone"] },
    { what: "features", why: "/name must have at most 2040 bytes", count: 1, which: ["x".repeat(2041)] },
    { what: "tags", why: "/type must have 2 to 50 characters", count: 1, which: ["t:short-type of good"] },
    {
      what: "variants",
      why: "not valid: /1/name must be URL-friendly: letters, digits and -_.!~*'() only (and 1 more)",
      count: 1,
      which: ["bad in development"],
    },
    { what: "segments", why: "not kept by Burgee", count: 1, which: ["beta"] },
    { what: "dependencies", why: "not kept by Burgee", count: 1, which: ["good"] },
    { what: "links", why: "not kept by Burgee", count: 1, which: ["number 1"] },
  ]);
  const { features } = JSON.parse(await line.exported());
  expect(features).toEqual([
    { name: "bad", project: "default", tags: [], environments: { development: { variants: [] } } },
    {
      name: "good",
      project: "default",
      tags: [{ type: "simple", value: "kept" }],
      environments: { development: { variants: [variant("v")] } },
    },
    {
      name: "nulls",
      project: "default",
      tags: [],
      environments: { development: { variants: [variant("v")] } },
    },
  ]);
});

it("reports tags and environments of features that no export lists, and finds them in a later one", async () => {
  const files = [
    exportOf(folder, "first", {
      features: [],
      lists: { later: [variant("v")], missing: [] },
      tags: [
        ["later", "simple", "kept"],
        ["missing", "simple", "dropped"],
      ],
    }),
    exportOf(folder, "second", { lists: { later: [] }, environment: "production" }),
  ];

  const { leftOut } = await line.json("import-unleash", ...files);

  const why = "their feature is not in the export";
  expect(leftOut).toEqual([
    { what: "tags", why, count: 1, which: ["simple:dropped of missing"] },
    { what: "environments", why, count: 1, which: ["development of missing"] },
  ]);
  expect(JSON.parse(await line.exported()).features).toMatchObject([
    {
      name: "later",
      tags: [{ type: "simple", value: "kept" }],
      environments: { development: { variants: [{}] } },
    },
  ]);
});

it("refuses what is not an export of Unleash, and changes nothing", async () => {
  const { code, err } = await line.run("import-unleash", recorded[0] ?? "", "infra/demo.json");

  expect({ code, err }).toEqual({
    code: 1,
    err: "burgee: infra/demo.json is not an export of Unleash's features:\n  /featureEnvironments is required\n",
  });
  expect(line.burgee.wire.calls).toEqual([]);
});

it("writes nothing the second time, and reads without a call for each feature", async () => {
  await line.run("import-unleash", ...recorded);
  line.burgee.wire.reset();

  const { code, out } = await line.run("import-unleash", ...recorded);

  expect({ code, first: out.split("\n")[0] }).toEqual({
    code: 0,
    first: "0 created, 0 updated, 0 removed, 6 unchanged.",
  });
  expect(line.writes()).toEqual([]);
  expect(line.burgee.wire.calls.length).toBeLessThan(6);
});

it("goes on where it was interrupted, to the same end as if it had not been", async () => {
  const names = Array.from({ length: 120 }, (_, index) => `feature-${String(index).padStart(3, "0")}`);
  const files = ["development", "production"].map((environment) =>
    exportOf(folder, `many-${environment}`, {
      environment,
      lists: Object.fromEntries(names.map((name) => [name, [variant(`${environment}-of-${name}`)]])),
      tags: names.map((name) => [name, "simple", name]),
    }),
  );
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
  const elsewhere = line.at(`burgee-${randomUUID()}`);
  await run([...elsewhere, "import-unleash", ...files]);
  const uninterrupted = JSON.parse((await run([...elsewhere, "export"])).out);
  const { projects, features } = JSON.parse(await line.exported());
  expect({ projects, features }).toEqual({
    projects: uninterrupted.projects,
    features: uninterrupted.features,
  });
  expect(features.length).toBe(120);
});
