/** Packages that only a measurement needs, fetched when it does. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** The `node_modules` they are in. Each is named with its version. */
export function fetchPackages(name: string, packages: readonly string[]): string {
  const folder = path.resolve(".cache", name);
  const modules = path.join(folder, "node_modules");
  const isThere = (wanted: string) =>
    existsSync(path.join(modules, wanted.slice(0, wanted.lastIndexOf("@"))));
  if (!packages.every(isThere)) {
    console.log(`fetching ${packages.join(", ")} into .cache/${name}`);
    const options = ["--prefix", folder, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", ...options, ...packages], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return modules;
}
