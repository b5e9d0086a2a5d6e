/** `project list | put` and `feature list | show | create | delete`. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { hostname, tmpdir, userInfo } from "node:os";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { variant } from "../../support/seed.ts";
import { done, freshCommandLine, refused, runProcess } from "./command-line.ts";

const state = {
  projects: [
    { id: "default", environments: ["development", "production"] },
    { id: "empty", environments: [] },
  ],
  features: [
    {
      name: "checkout",
      project: "default",
      tags: [{ type: "simple", value: "team\u001b[2J" }],
      environments: { development: { variants: [variant("blue")] }, production: { variants: [] } },
    },
    { name: "bare", project: "empty" },
  ],
};

const line = freshCommandLine(state);

const add = { op: "add", path: "/-", value: { name: "green", weight: 1 } };

describe("project", () => {
  it("put makes one, and gives the features of one its new environments, in its order", async () => {
    const made = await line.json("project", "put", "other", "a", "b");
    const changed = await line.run("project", "put", "default", "production", "staging", "development");

    expect(made).toMatchObject({ dryRun: false, created: 1, updated: 0 });
    expect(changed).toEqual(done("0 created, 2 updated, 0 removed, 0 unchanged.\n"));
    expect((await line.burgee.storedFeature("checkout")).environments).toEqual([
      "production",
      "staging",
      "development",
    ]);
    expect((await line.burgee.storedEnvironment("checkout", "development")).variants).toEqual([
      variant("blue"),
    ]);
    expect((await line.burgee.patch("checkout", [add])).json.variants).toEqual([variant("green")]);
    expect((await line.burgee.storedEnvironment("checkout", "staging")).variants).toEqual([variant("green")]);
    expect(await line.run("project", "list")).toEqual(
      done(
        "PROJECT  ENVIRONMENTS\ndefault  production, staging, development\nempty    none\nother    a, b\n",
      ),
    );
    expect((await line.json("project", "list"))[2]).toEqual({ id: "other", environments: ["a", "b"] });
  });

  it("put does not take an environment from features that have it", async () => {
    const { code, err } = await line.run("project", "put", "default", "development");

    expect(code).toBe(1);
    expect(err).toContain(
      'feature "checkout": environment "production" is not an environment of project "default"\n',
    );
    expect((await line.burgee.storedFeature("checkout")).environments).toEqual(["development", "production"]);
  });
});

describe("feature", () => {
  it("create makes one that can be patched in all environments of its project", async () => {
    const made = await line.run("feature", "create", "new", "--project", "default");

    expect(made).toEqual(done('Created the feature "new" in project "default" (development, production).\n'));
    expect(await line.burgee.patch("new", [add])).toMatchObject({ status: 200 });
    expect((await line.burgee.storedEnvironment("new", "production")).revision).toBe(2);
  });

  it("create writes the feature last: one that can be found is whole", async () => {
    await line.run("feature", "create", "new", "--project", "default");

    const puts = line.burgee.wire.calls.filter(({ operation }) => operation === "PutItem");
    expect(puts.map(({ input }) => (input as { Item: { sk: { S: string } } }).Item.sk.S)).toEqual([
      "ENVIRONMENT#development",
      "ENVIRONMENT#production",
      "FEATURE",
    ]);
  });

  it("delete removes the feature first, then its environments, once it was confirmed", async () => {
    const unconfirmed = await line.run("feature", "delete", "checkout");
    const deleted = await line.run("feature", "delete", "checkout", "--yes");

    expect(unconfirmed).toEqual(
      refused("this cannot be undone, and there is no terminal to confirm at: give --yes"),
    );
    expect(deleted).toEqual(done('Deleted the feature "checkout".\n'));
    const deletions = line.burgee.wire.calls.filter(({ operation }) => operation === "DeleteItem");
    expect(deletions.map(({ input }) => (input as { Key: { sk: { S: string } } }).Key.sk.S)).toEqual([
      "FEATURE",
      "ENVIRONMENT#development",
      "QUEUE#development",
      "ENVIRONMENT#production",
      "QUEUE#production",
    ]);
    expect((await line.burgee.patch("checkout", [add])).status).toBe(404);
    expect(await line.json("feature", "create", "checkout", "--project", "default")).toEqual({
      name: "checkout",
      project: "default",
      environments: ["development", "production"],
    });
    expect((await line.burgee.storedEnvironment("checkout", "development")).variants).toEqual([]);
  });

  it("list and show print names without control characters", async () => {
    await line.burgee.patch("checkout", [add]);

    const list = await line.run("feature", "list");
    const shown = await line.run("feature", "show", "checkout");

    expect(list).toEqual(
      done(`FEATURE   PROJECT  VARIANTS                     TAGS
bare      empty    no environments              none
checkout  default  development 2, production 1  simple:team\\u001b[2J
`),
    );
    expect(shown.out).toMatch(
      /^feature {2}checkout\nproject {2}default\ntags {5}simple:team\\u001b\[2J\nchanged {2}2\S+ by state file\n\ndevelopment \(revision 2, changed 2\S+ by admin\)\n/,
    );
    expect(shown.out).toContain(`VARIANT  WEIGHT  TYPE      STICKINESS  PAYLOAD  OVERRIDES
blue     500     variable  default
green    500     variable  default
`);
  });

  it("show prints the last change of the tags and of each environment: by a key, or by the operator", async () => {
    await line.burgee.putTags("checkout", { addedTags: [{ type: "simple", value: "new" }], removedTags: [] });
    await line.run("feature", "create", "made", "--project", "default");

    const { out } = await line.run("feature", "show", "checkout");
    const { out: made } = await line.run("feature", "show", "made");
    const { changed } = await line.json("feature", "show", "made");

    const operator = `the command line (${userInfo().username} on ${hostname()})`;
    expect(out).toMatch(/\ntags {5}simple:new, simple:team\S+\nchanged {2}2\S+Z by admin\n/);
    expect(made).toMatch(/\ntags {5}none\nchanged {2}2\S+Z by the command line \(.*\)\n/);
    expect(made.split(` by ${operator}`)).toHaveLength(4);
    expect(changed).toEqual({
      id: expect.any(String),
      by: operator,
      at: expect.any(String),
      request: expect.any(String),
    });
  });

  it("a change on AWS is recorded with the access key and the profile", async () => {
    const config = path.join(mkdtempSync(path.join(tmpdir(), "burgee-test-")), "config");
    writeFileSync(
      config,
      "[profile ops]\nregion = eu-central-1\naws_access_key_id = AKIAOPS\naws_secret_access_key = s\n",
    );
    const table = line.burgee.session.table;

    const { code } = await runProcess(
      ["--table", table, "feature", "create", "remote", "--project", "default"],
      {
        AWS_PROFILE: "ops",
        AWS_CONFIG_FILE: config,
        AWS_ENDPOINT_URL_DYNAMODB: line.burgee.wire.endpoint,
      },
    );

    expect(code).toBe(0);
    expect((await line.burgee.storedFeature("remote")).changed?.by).toBe(
      "the command line (AWS access key AKIAOPS, profile ops)",
    );
  });

  it("list and show print JSON for scripts", async () => {
    const [bare, ...rest] = await line.json("feature", "list");
    const ofProject = await line.json("feature", "list", "--project", "default");
    const shown = await line.json("feature", "show", "checkout");

    const changed = {
      by: "state file",
      request: "import",
      at: expect.any(String),
      id: expect.any(String),
    };
    const ofFeature = { ...changed, feature: "checkout" };
    expect(bare).toEqual({ name: "bare", project: "empty", tags: [], environments: {} });
    expect(ofProject).toEqual(rest);
    expect(shown).toEqual({
      name: "checkout",
      project: "default",
      tags: [{ type: "simple", value: "team\u001b[2J" }],
      changed,
      environments: {
        development: { revision: 1, variants: [variant("blue")], changed: ofFeature },
        production: { revision: 1, variants: [], changed: ofFeature },
      },
    });
  });

  it("list fits the width of the terminal", async () => {
    vi.stubEnv("COLUMNS", "48");

    const { out } = await line.run("feature", "list");

    vi.unstubAllEnvs();

    expect(Math.max(...out.split("\n").map((text) => text.length))).toBeLessThanOrEqual(48);
    expect(out.replaceAll(/\s/g, "")).toContain("checkoutdefaultdevelopment");
  });
});
