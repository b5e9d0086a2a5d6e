/** A package that only some tests need, and that `npm ci` has no time for: fetched into .cache when it is asked for. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** Its folder. Nothing of it is run. */
export function fetchPackage(name: string, version: string): string {
  const cache = path.resolve(".cache", `${name}-${version}`);
  const folder = path.join(cache, "node_modules", name);
  if (existsSync(folder)) return folder;
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  execFileSync("npm", ["install", "--prefix", cache, ...options, `${name}@${version}`], { stdio: "inherit" });
  return folder;
}
