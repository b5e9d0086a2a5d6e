/** Ends the process with one line if its Node is older than package.json requires. Programs import it first. */
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const needed = manifest.engines.node.replace(">=", "");

if (!isAtLeast(process.versions.node, needed)) {
  console.error(`burgee: Node ${needed} or newer is required, but this is Node ${process.versions.node}`);
  process.exit(1);
}

/** @param {string} version @param {string} least */
function isAtLeast(version, least) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
