/** What these tests need beyond `npm ci`, fetched into .cache where it is not there yet. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fetchFramework } from "../../infra/deploy/framework.ts";

const pinned = "test/deploy/requirements.txt";
const environment = path.resolve(".cache/cfn-lint");
const fetched = path.join(environment, "requirements.txt");

export const cfnLint = path.join(environment, "bin/cfn-lint");

export default function fetchTools(): void {
  fetchFramework();
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
