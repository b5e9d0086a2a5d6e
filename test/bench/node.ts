/** The Node that Lambda runs, fetched when this one is another. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fetchNode24 } from "../support/node-24.mjs";

/** "current", or the other. */
export function findNode(wanted: string): string {
  if (wanted === "current" || process.version.startsWith("v24.")) return process.execPath;
  return path.join(fetchNode24().bin, "node");
}

export function versionOf(node: string): string {
  return execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
}
