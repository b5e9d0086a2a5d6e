/** Python programs that only some tests need, each in a virtual environment of its own under .cache. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

export function pythonProgram(name: string): string {
  return path.resolve(".cache", name, "bin", name);
}

/** Exactly the versions of the requirements file; where they are there already, nothing is done. */
export function fetchPythonProgram(name: string, pinned: string): void {
  const environment = path.resolve(".cache", name);
  const fetched = path.join(environment, "requirements.txt");
  if (existsSync(fetched) && readFileSync(fetched).equals(readFileSync(pinned))) return;
  rmSync(environment, { recursive: true, force: true });
  run("python3", "-m", "venv", environment);
  run(path.join(environment, "bin/pip"), "install", "--quiet", "--disable-pip-version-check", "-r", pinned);
  // The last step, so that whatever was broken off is begun again.
  cpSync(pinned, fetched);
}

function run(command: string, ...options: string[]): void {
  execFileSync(command, options, { stdio: ["ignore", "ignore", "inherit"] });
}
