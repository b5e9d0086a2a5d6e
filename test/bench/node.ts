/** The Node that Lambda runs, fetched when this one is another. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fetchPackages } from "./fetch-packages.ts";

const version = "24.21.0";

/** "current", or the other. */
export function findNode(wanted: string): string {
  if (wanted === "current" || process.version.startsWith("v24.")) return process.execPath;
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  return path.join(fetchPackages("node24", [`${name}@${version}`]), name, "bin/node");
}

export function versionOf(node: string): string {
  return execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
}
