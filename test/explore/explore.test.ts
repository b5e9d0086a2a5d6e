/** Every schedule within smaller bounds than those of `npm run explore`, and a bug that it must find. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bugs } from "./bugs.mjs";

it("finds no violation with one fault less than in .ci/run", { timeout: 300_000 }, () => {
  expect(explore("--quick")).toEqual({ status: 0, violations: [] });
});

it("goes the same way each time: to the same ends, and by the same schedule to a violation", {
  timeout: 60_000,
}, () => {
  const runs = [
    ["--scenario", "two undos of one change", "--faults", "1"],
    ["--bugs", "a change is not recognised by its id"],
  ];
  for (const options of runs) expect(linesOf(...options)).toEqual(linesOf(...options));
});

it("finds a deliberate bug", { timeout: 60_000 }, () => {
  expect(explore("--bugs", "a change is not recognised by its id")).toEqual({
    status: 0,
    violations: [expect.stringContaining("was made twice")],
  });
});

it.each(bugs)("has the texts that the deliberate bug takes out: $name", ({ edits }) => {
  for (const { file, from } of edits) expect(readFileSync(file, "utf8")).toContain(from);
});

it("reaches the same ends without its reductions", { timeout: 60_000 }, () => {
  const one = ["--scenario", "two patches of one environment", "--faults", "1"];
  expect(explore(...one, "--whole")).toEqual({ status: 0, violations: [] });
});

/** Without the processor time that it took. */
function linesOf(...options: string[]): string[] {
  const { stdout } = spawnSync(process.execPath, ["test/explore/run.mjs", ...options], { encoding: "utf8" });
  return stdout.split("\n").map((line) => line.replace(/, [\d.]+ s$/, ""));
}

function explore(...options: string[]): { status: number | null; violations: string[] } {
  const program = ["test/explore/run.mjs", ...options];
  const { status, stdout } = spawnSync(process.execPath, program, { encoding: "utf8" });
  return { status, violations: stdout.split("\n").filter((line) => line.startsWith("  => ")) };
}
