/** Python packages that only some tests need, in a virtual environment of their own under .cache. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The program of this name, from the packages that a requirements file pins. */
export function fetchPythonProgram(program: string, requirements: string): string {
  const pinned = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const folder = path.resolve(".cache", `${program}-${pinned}`);
  const installed = path.join(folder, "bin", program);
  if (existsSync(installed)) return installed;
  try {
    execFileSync("python3", ["-m", "venv", "--clear", folder], { stdio: "pipe" });
  } catch (cause) {
    const needed = "Python 3 with its venv module is needed (apt-get install python3-venv)";
    throw new Error(`${program} cannot be fetched: ${needed}`, { cause });
  }
  const pip = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--requirement",
    requirements,
  ];
  execFileSync(path.join(folder, "bin", "python"), pip, { stdio: ["ignore", "ignore", "inherit"] });
  return installed;
}
