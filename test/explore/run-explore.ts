/** Runs `npm run explore` in a process of its own. */
import { spawnSync } from "node:child_process";

/** The lines are without the processor time that each took. */
export function runExplore(...options: string[]) {
  const program = ["test/explore/run.mjs", ...options];
  const { status, stdout } = spawnSync(process.execPath, program, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = stdout.split("\n").map((line) => line.replace(/, [\d.]+ s$/, ""));
  return { status, lines, violations: lines.filter((line) => line.startsWith("  => ")) };
}
