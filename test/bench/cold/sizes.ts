/** Measures the compressed size of what is deployed. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

export function gzipKilobytes(file: string): number {
  return gzipSync(readFileSync(file)).length / 1024;
}

/** The size of all packages that the usual set-up deploys with a function. */
export function packagesKilobytes(): number {
  const list = ["ls", "--omit=dev", "--all", "--parseable"];
  const folders = execFileSync("npm", list, { encoding: "utf8" }).trim().split("\n");
  return folders
    .filter((folder) => folder.includes("node_modules"))
    .reduce((sum, folder) => sum + ofFolder(folder), 0);
}

/** Skips nested packages, which are in the list themselves. */
function ofFolder(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + ofFolder(inside);
    return entry.isFile() ? sum + gzipKilobytes(inside) : sum;
  }, 0);
}
