/** Runs `npm run explore`. */
import { spawnSync } from "node:child_process";

/** The lines are without the processor time that each took. */
export function explore(...options: string[]) {
  const program = ["test/explore/run.mjs", ...options];
  const { status, stdout } = spawnSync(process.execPath, program, { encoding: "utf8" });
  const lines = stdout.split("\n").map((line) => line.replace(/, [\d.]+ s$/, ""));
  return { status, lines, violations: lines.filter((line) => line.startsWith("  => ")) };
}
