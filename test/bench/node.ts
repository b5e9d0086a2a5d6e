/** The Node that Lambda runs, fetched when this one is another. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const version = "24.21.0";

export function findNode(wanted: string): string {
  if (wanted === "current" || process.version.startsWith("v24.")) return process.execPath;
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const folder = path.resolve(".cache/node24");
  const program = path.join(folder, "node_modules", name, "bin/node");
  if (!existsSync(program)) {
    console.log(`fetching Node ${version}, which Lambda runs (--node current measures with this one)`);
    const install = ["install", "--prefix", folder, "--no-save", "--ignore-scripts", `${name}@${version}`];
    execFileSync("npm", install, { stdio: "inherit" });
  }
  return program;
}

export function versionOf(node: string): string {
  return execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
}
