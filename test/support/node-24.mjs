/** Node 24, as Lambda's nodejs24.x has it, whatever Node runs the tests. As a program it runs the given one with it. */
import "../../infra/build/node-version.mjs";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fetchPackages } from "../../infra/build/fetch.mjs";

/** Its home has `bin/node`, and the headers that native packages are built with. */
export function fetchNode24() {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const home = path.join(fetchPackages("node-24", [`${name}@24.21.0`]), name);
  return { home, bin: path.join(home, "bin") };
}

if (path.basename(process.argv[1] ?? "") === "node-24.mjs") {
  const node = path.join(fetchNode24().bin, "node");
  process.exitCode = spawnSync(node, process.argv.slice(2), { stdio: "inherit" }).status ?? 1;
}
