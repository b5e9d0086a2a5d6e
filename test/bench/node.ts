/** Finds the Node to measure with, and fetches Lambda's if this is another. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fetchNode24 } from "../support/node-24.mjs";

/** `wanted` is "current" or "24". */
export function findNode(wanted: string): string {
  if (wanted === "current" || process.version.startsWith("v24.")) return process.execPath;
  return path.join(fetchNode24().bin, "node");
}

export function versionOf(node: string): string {
  return execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
}
