/** Whether script(1) of util-linux, which makes the terminals of tests, is installed. */
import { spawnSync } from "node:child_process";

export const noTerminal = "needs script(1) of util-linux, which macOS does not have";

export function hasTerminal(): boolean {
  return String(spawnSync("script", ["--version"]).stdout).includes("util-linux");
}
