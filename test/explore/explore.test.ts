/** Every schedule within a small bound, and a bug that it must find. README.md has the larger bounds. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

it("finds no violation in any schedule of two callers with one fault and one preemption", {
  timeout: 300_000,
}, () => {
  const bounds = ["--preemptions", "1", "--callers", "2", "--environments", "2"];
  expect(explore(...bounds)).toEqual({ status: 0, violations: [] });
});

it("finds a deliberate bug", { timeout: 60_000 }, () => {
  expect(explore("--bugs", "no write ids")).toEqual({
    status: 0,
    violations: [expect.stringContaining("was made twice")],
  });
});

it("reaches the same ends without its reductions", { timeout: 60_000 }, () => {
  const scenario = ["--scenario", "two patches of one environment"];
  expect(endsOf(...scenario, "--whole")).toEqual(endsOf(...scenario));
});

function explore(...options: string[]): { status: number | null; violations: string[] } {
  const { status, stdout } = run(options);
  return { status, violations: stdout.split("\n").filter((line) => line.startsWith("  => ")) };
}

function endsOf(...options: string[]): string | undefined {
  return /\d+ ends \(\w+\)/.exec(run(options).stdout)?.[0];
}

function run(options: readonly string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, ["test/explore/run.mjs", ...options], { encoding: "utf8" });
}
