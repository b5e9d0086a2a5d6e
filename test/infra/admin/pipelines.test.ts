/** `apply` in a pipeline: exit codes that distinguish differences from errors, differences as data, and the example for CI. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { variant } from "../../support/seed.ts";
import { freshCommandLine, newFolder } from "./command-line.ts";

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
  ],
};
const wanted = {
  projects: [{ id: "default", environments: ["development", "staging", "production"] }],
  features: [
    {
      name: "checkout",
      project: "default",
      tags: [{ type: "simple", value: "team-b" }],
      environments: {
        development: { variants: [variant("blue", { weight: 700 }), variant("red", { weight: 300 })] },
        staging: { variants: [] },
      },
    },
  ],
};

const same = folder.file("same.json", base);
const other = folder.file("other.json", wanted);

const line = freshCommandLine(base);

describe("apply --dry-run --exit-code", () => {
  it.each([
    ["0 without differences", [same, "--dry-run", "--exit-code"], 0],
    ["2 with differences", [other, "--dry-run", "--exit-code"], 2],
    ["2 with differences, as JSON", [other, "--dry-run", "--exit-code", "--json"], 2],
    ["0 with differences that nothing asked to report", [other, "--dry-run"], 0],
    ["1 for a file that is not there", ["nowhere.json", "--dry-run", "--exit-code"], 1],
    ["1 for wrong usage", [other, "--dry-run", "--exit-code", "--purge"], 1],
    ["1 without --dry-run", [other, "--exit-code"], 1],
    ["2 for wrong usage without it", [other, "--dry-run", "--purge"], 2],
  ])("exits with %s", async (_, given, code) => {
    expect((await line.run("apply", ...given)).code).toBe(code);
  });
});

it("--json has each difference as data: what, where, from and to", async () => {
  const { changes } = await line.json("apply", other, "--prune", "--dry-run");

  expect(changes).toEqual([
    {
      action: "update",
      kind: "project",
      name: "default",
      differences: [
        {
          what: "environments",
          from: ["development", "production"],
          to: ["development", "staging", "production"],
        },
      ],
    },
    {
      action: "update",
      kind: "feature",
      name: "checkout",
      differences: [
        { what: "tag", from: null, to: { type: "simple", value: "team-b" } },
        { what: "tag", from: { type: "simple", value: "team-a" }, to: null },
        { what: "environment", where: "staging", from: null, to: [] },
        { what: "environment", where: "production", from: [variant("blue")], to: null },
        {
          what: "variant",
          where: "development",
          from: variant("blue", { weight: 600 }),
          to: variant("blue", { weight: 700 }),
        },
        { what: "variant", where: "development", from: null, to: variant("red", { weight: 300 }) },
        { what: "variant", where: "development", from: variant("green", { weight: 400 }), to: null },
      ],
    },
  ]);
});

describe("the example for GitHub Actions", () => {
  const { jobs } = parse(readFileSync("infra/examples/github-actions.yml", "utf8"));
  const lastOf = (job: string): string => jobs[job].steps.at(-1).run;

  /** The last step of a job as GitHub runs it, on this table, with a flags.json. */
  async function runStep(job: string, flags: string): Promise<{ code: number; summary: string }> {
    const cwd = path.join(folder.path, `${job}-${path.basename(flags)}`);
    mkdirSync(cwd);
    for (const name of ["package.json", "node_modules", "dist", "infra"])
      symlinkSync(path.resolve(name), path.join(cwd, name));
    copyFileSync(flags, path.join(cwd, "flags.json"));
    const summary = path.join(cwd, "summary.md");
    writeFileSync(summary, "");
    const { wire, session } = line.burgee;
    const script = lastOf(job).replaceAll(
      "npm run --silent admin --",
      `'${process.execPath}' dist/tools/admin.mjs --endpoint ${wire.endpoint}`,
    );
    const env = { PATH: process.env.PATH, TABLE_NAME: session.table, GITHUB_STEP_SUMMARY: summary };
    const code = await new Promise<number>((resolve) => {
      const child = execFile("bash", ["-e", "-c", script], { cwd, env });
      child.once("close", (code) => resolve(code ?? -1));
    });
    return { code, summary: readFileSync(summary, "utf8") };
  }

  it("plans with a summary, and fails for errors alone", async () => {
    const [changed, unchanged] = [await runStep("plan", other), await runStep("plan", same)];
    const broken = await runStep("plan", folder.file("broken.json", { features: 1 }));

    expect([changed.code, unchanged.code, broken.code]).toEqual([0, 0, 1]);
    expect(changed.summary).toContain('~ feature "checkout"\n    + tag "simple:team-b"');
  });

  it("applies, after which there is no drift", async () => {
    const drift = await runStep("drift", other);
    const applied = await runStep("apply", other);
    const after = await runStep("drift", folder.file("after.json", wanted));

    expect([drift.code, applied.code, after.code]).toEqual([2, 0, 0]);
  });

  it("names scripts that are there, and stores no credentials", () => {
    const text = readFileSync("infra/examples/github-actions.yml", "utf8");
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = ""]) => name);

    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(text).not.toMatch(/secrets\.|ACCESS_KEY/);
  });
});
