/** Ends the process with one line if its Node is too old, or Windows' own. Programs import it first. */
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const needed = manifest.engines.node.replace(">=", "");

/** @param {string} version */
function toNumber(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major * 1000 + minor;
}

if (toNumber(process.versions.node) < toNumber(needed)) {
  console.error(`burgee: Node ${needed} or newer is required, but this is Node ${process.versions.node}`);
  process.exit(1);
}

if (process.platform === "win32") {
  console.error("burgee: Windows is supported in WSL only: run the same command there");
  process.exit(1);
}
