/** Ends the process with one line if its Node is too old, or Windows' own. Programs import it first. */
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const needed = manifest.engines.node.replace(">=", "");

// "20.9" is before "20.19".
if (process.versions.node.localeCompare(needed, "en", { numeric: true }) < 0) {
  console.error(`burgee: Node ${needed} or newer is required, but this is Node ${process.versions.node}`);
  process.exit(1);
}

if (process.platform === "win32") {
  console.error("burgee: Windows is supported in WSL only: run the same command there");
  process.exit(1);
}
