/** Fetches Node 24, which Lambda's nodejs24.x has. As a program, runs the given program with it. */
import "../../infra/build/node-version.mjs";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fetchPackages } from "../../infra/build/fetch.mjs";

/** Returns its home, with `bin/node` and the headers for building native packages. */
export function fetchNode24() {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const home = path.join(fetchPackages("node-24", [`${name}@24.21.0`]), name);
  return { home, bin: path.join(home, "bin") };
}

if (path.basename(process.argv[1] ?? "") === "node-24.mjs") {
  const node = path.join(fetchNode24().bin, "node");
  process.exitCode = spawnSync(node, process.argv.slice(2), { stdio: "inherit" }).status ?? 1;
}
