/** Every schedule within smaller bounds than those of `npm run explore`, and a bug that it must find. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bugs } from "./bugs.mjs";

const bug = ["--bugs", "a change is not recognised by its id"];

it("finds no violation in the short scenarios with one fault less than in .ci/run, and reaches the same ends each time", {
  timeout: 300_000,
}, () => {
  const quick = explore("--quick");
  const [lineOfOne] = explore("--scenario", "two undos of one change", "--faults", "1").lines;

  expect(quick).toMatchObject({ status: 0, violations: [] });
  expect(quick.lines).toContain(lineOfOne);
});

it("finds a deliberate bug, by the same schedule each time", { timeout: 60_000 }, () => {
  const found = explore(...bug);

  expect(found).toMatchObject({ status: 0, violations: [expect.stringContaining("a second time")] });
  expect(explore(...bug)).toEqual(found);
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

it("reaches the same ends without its reductions", { timeout: 60_000 }, () => {
  const one = ["--scenario", "tags with if-match", "--faults", "1"];
  expect(explore(...one, "--whole")).toMatchObject({ status: 0, violations: [] });
});

/** The lines are without the processor time that each took. */
function explore(...options: string[]) {
  const program = ["test/explore/run.mjs", ...options];
  const { status, stdout } = spawnSync(process.execPath, program, { encoding: "utf8" });
  const lines = stdout.split("\n").map((line) => line.replace(/, [\d.]+ s$/, ""));
  return { status, lines, violations: lines.filter((line) => line.startsWith("  => ")) };
}
