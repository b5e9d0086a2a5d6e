/** `apply FILE`: what it creates, updates and removes. */
import { describe, expect, it } from "vitest";
import { add } from "../../support/patching.ts";
import { variant } from "../../support/seed.ts";
import { done, freshCommandLine, newFolder, refused } from "./command-line.ts";

const folder = newFolder();

const base = {
  projects: [{ id: "default", environments: ["development", "production"] }],
  features: [
    {
      name: "checkout",
      project: "default",
      tags: [{ type: "simple", value: "team-a" }],
      environments: {
        development: { variants: [variant("blue", { weight: 600 }), variant("green", { weight: 400 })] },
        production: { variants: [variant("blue")] },
      },
    },
    { name: "search", project: "default" },
  ],
};

const line = freshCommandLine(base);

describe("apply", () => {
  it("writes nothing where all is as it should be", async () => {
    const file = folder.file("same.json", base);

    expect(await line.run("apply", file)).toEqual(done("0 created, 0 updated, 0 removed, 4 unchanged.\n"));
    expect(line.writes()).toEqual([]);
  });

  it("creates what is new, changes what is different, and removes nothing", async () => {
    const file = folder.file("more.json", {
      projects: [
        { id: "default", environments: ["development", "staging", "production"] },
        { id: "other", environments: [] },
      ],
      features: [
        {
          name: "checkout",
          project: "default",
          tags: [{ type: "simple", value: "team-b" }],
          environments: {
            development: { variants: [variant("blue", { weight: 700 }), variant("red", { weight: 300 })] },
          },
        },
        {
          name: "new",
          project: "default",
          environments: { staging: { variants: [variant("a", { weight: 1 })] } },
        },
        { name: "search", project: "default" },
      ],
      apiKeys: [{ name: "ci", key: "a-key-of-sixteen-characters" }],
    });
    const dryRun = await line.run("apply", file, "--dry-run");
    expect(line.writes()).toEqual([]);

    const applied = await line.run("apply", file);

    expect(dryRun).toEqual(
      done(`~ project "default"
    environments: development, production -> development, staging, production
+ project "other"
    environments: none
~ feature "checkout"
    + tag "simple:team-b"
    ~ environment "development": ~ blue 600 -> 700, + red 300, - green
~ feature "search"
    + environment "staging": no variants
+ feature "new"
    project: "default"
    + environment "staging": a 1
+ key "ci"
    permissions: none
Dry run, nothing was changed: 3 created, 3 updated, 0 removed, 1 unchanged.
`),
    );
    expect(applied).toEqual(done("3 created, 3 updated, 0 removed, 1 unchanged.\n"));
    const { json } = await line.burgee.putTags("checkout", { addedTags: [], removedTags: [] });
    expect(json.tags.map(({ value }: { value: string }) => value)).toEqual(["team-a", "team-b"]);
    // Given as they are: no weights are dealt, and the handlers go on from there.
    expect((await line.burgee.storedEnvironment("new", "staging")).variants).toEqual([
      variant("a", { weight: 1 }),
    ]);
    expect((await line.burgee.storedFeature("search")).environments).toEqual([
      "development",
      "staging",
      "production",
    ]);
    const changed = await line.burgee.storedEnvironment("checkout", "development");
    expect(changed).toMatchObject({ revision: 2, writes: expect.any(Uint8Array) });
    expect(changed.writes).toHaveLength(2 * 8);
    expect(await line.burgee.storedEnvironment("checkout", "production")).toMatchObject({ revision: 1 });
  });

  it("raises the revision from what others made of it meanwhile, and does not undo it elsewhere", async () => {
    const wanted = [variant("red")];
    const file = folder.file("conflict.json", {
      ...base,
      features: [
        { name: "checkout", project: "default", environments: { development: { variants: wanted } } },
      ],
    });
    line.burgee.wire.beforeFirst(
      ({ operation, input }) => operation === "UpdateItem" && JSON.stringify(input).includes("red"),
      () => line.burgee.patch("checkout", [add("/-", { name: "other", weight: 1 })]),
    );

    const { code } = await line.run("apply", file);

    expect(code).toBe(0);
    expect(await line.burgee.storedEnvironment("checkout", "development")).toMatchObject({
      revision: 3,
      variants: wanted,
    });
    expect(
      (await line.burgee.storedEnvironment("checkout", "production")).variants.map(({ name }) => name),
    ).toEqual(["blue", "other"]);
  });

  it("with --prune makes each list that the file has all there is, once it was confirmed", async () => {
    const file = folder.file("less.json", {
      projects: [{ id: "default", environments: ["production"] }],
      features: [{ name: "checkout", project: "default", environments: { production: { variants: [] } } }],
    });

    const unconfirmed = await line.run("apply", file, "--prune");
    expect(unconfirmed).toEqual(
      refused("this cannot be undone, and there is no terminal to confirm at: give --yes"),
    );
    expect(line.writes()).toEqual([]);
    const { created, updated, removed, unchanged } = await line.json("apply", file, "--prune", "--yes");

    expect({ created, updated, removed, unchanged }).toEqual({
      created: 0,
      updated: 2,
      removed: 1,
      unchanged: 1,
    });
    const state = JSON.parse(await line.exported());
    expect(state).toMatchObject({
      projects: [{ id: "default", environments: ["production"] }],
      apiKeys: [{ name: "admin" }],
    });
    expect(state.features).toEqual([
      { name: "checkout", project: "default", tags: [], environments: { production: { variants: [] } } },
    ]);
    expect((await line.burgee.putTags("search", { addedTags: [], removedTags: [] })).status).toBe(404);
  });

  it("moves a feature to another project", async () => {
    const environments = ["development", "production"];
    const file = folder.file("moved.json", {
      projects: [{ id: "other", environments }],
      features: [{ name: "checkout", project: "other" }],
    });

    const { changes } = await line.json("apply", file);

    expect(changes[1]).toMatchObject({
      name: "checkout",
      differences: [{ what: "project", from: "default", to: "other" }],
    });
    expect((await line.burgee.patch("checkout", [])).status).toBe(404);
    expect((await line.burgee.patch("checkout", [], { project: "other" })).json.variants).toHaveLength(2);
  });

  it("refuses what would leave a feature in an environment that its project does not have", async () => {
    const file = folder.file("strangers.json", {
      projects: [{ id: "default", environments: ["production"] }],
    });

    const { code, err } = await line.run("apply", file, "--prune", "--yes");

    expect({ code, err }).toEqual({
      code: 1,
      err: `burgee: nothing was changed, because the result would be inconsistent:
  feature "checkout": environment "development" is not an environment of project "default"
  feature "search": environment "development" is not an environment of project "default"
`,
    });
    expect(line.writes()).toEqual([]);
  });
});
