/** The short scenarios of `npm run explore`, and what its list of bugs and its page name. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bugs } from "./bugs.mjs";
import { runExplore } from "./run-explore.ts";

it("finds no violation in the short scenarios with one fault less than npm run explore", {
  timeout: 300_000,
}, () => {
  expect(runExplore("--quick")).toMatchObject({ status: 0, violations: [] });
});

it.each(["--bugs none", "--scenario none", "--fault 1"])("refuses what it does not know: %s", (options) => {
  expect(runExplore(...options.split(" "))).toMatchObject({ status: 2, lines: [""] });
});

it.each(bugs)("edits texts of which each is in its file once: $name", ({ edits }) => {
  const sources = new Map(edits.map(({ file }) => [file, readFileSync(file, "utf8")]));

  for (const { file, from, to } of edits) {
    const [before = "", ...rest] = sources.get(file)?.split(from) ?? [];
    expect(rest, from).toHaveLength(1);
    sources.set(file, `${before}${to}${rest[0]}`);
  }
});

it("has each check that the README names", () => {
  const [, table = ""] = readFileSync("test/explore/README.md", "utf8").split("| must hold | checked by |");
  const rows = table.split("\n\n")[0]?.split("\n").slice(2) ?? [];
  const named = rows.map((row) =>
    [...(row.split(" | ")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const checks = readdirSync("test/explore/checks").map((name) => `test/explore/checks/${name}`);
  const sources = [...checks, "test/explore/explore.ts"].map((file) => readFileSync(file, "utf8"));
  const declared = [...sources.join("").matchAll(/function (\w+)/g)].map(([, name]) => name);

  expect(rows.length).toBeGreaterThan(20);
  for (const names of named) expect(names).not.toEqual([]);
  expect(declared).toEqual(expect.arrayContaining(named.flat()));
});
