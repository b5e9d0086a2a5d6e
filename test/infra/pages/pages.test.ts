/** What the pages name is there: scripts, files, headings. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "DECISIONS.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "infra/FROM-UNLEASH.md",
  "infra/OPERATIONS.md",
  "test/bench/README.md",
];
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .trim()
    .replaceAll(/\s/g, "-");

const anchorsOf = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slug(heading));

describe.each(pages)("%s", (page) => {
  const text = readFileSync(page, "utf8");
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);

  it("names no script that is not there", () => {
    expect(found(/\bnpm run (?:--silent )?([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
  });

  it("links to no file and no heading that is not there", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const dead = links.filter(([, file = "", anchor]) => {
      const target = file === "" ? page : path.join(path.dirname(page), file);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });

    expect(dead.map(([link]) => link)).toEqual([]);
  });

  it("names no file of this repository that is not there", () => {
    const files = found(/`((?:functions|lib|infra|test)\/[\w./-]+\.\w+)`/g);

    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

it("the README is read in one go", () => {
  expect(readFileSync("README.md", "utf8").split("\n").length).toBeLessThan(250);
});
