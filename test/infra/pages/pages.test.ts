/** What the pages name is there: scripts, files, headings. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "docs/DECISIONS.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "docs/API.md",
  "docs/COSTS.md",
  "docs/FROM-FLAGD.md",
  "docs/FROM-UNLEASH.md",
  "docs/GUARDS.md",
  "docs/LOCAL.md",
  "docs/MCP.md",
  "docs/OPERATIONS.md",
  "docs/RECIPES.md",
  "docs/REFERENCE.md",
  "docs/RUNBOOK.md",
  "docs/SDKS.md",
  "llms.txt",
  "test/bench/README.md",
  "test/conformance/README.md",
  "test/explore/README.md",
];
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

function slug(heading: string): string {
  const plain = heading.toLowerCase().replaceAll(/[^\w\s-]/g, "");
  return plain.trim().replaceAll(/\s/g, "-");
}

const anchorsOf = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slug(heading));

it.each(pages)("%s names only scripts, files and headings that are there", (page) => {
  const text = readFileSync(page, "utf8");
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const named = found(/\bnpm run (?:--silent )?([\w:-]+)/g);
  const files = found(/`((?:functions|lib|infra|test)\/[\w./-]+)`/g);
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];

  const dead = links.filter(([, file = "", anchor]) => {
    const target = file === "" ? page : path.join(path.dirname(page), file);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });

  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(dead.map(([link]) => link)).toEqual([]);
});
