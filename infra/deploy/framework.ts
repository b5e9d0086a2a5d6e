/** The framework that makes a template of serverless.yml and deploys it. It is fetched once, when it is first needed. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../refusal.ts";
import type { Target } from "./stages.ts";

const pinned = "infra/deploy/osls";
const installed = path.resolve(".cache/osls");
export const frameworkProgram = path.join(installed, "node_modules/osls/bin/serverless.js");

/** Where the framework's own packages are found. */
export const frameworkPackages = path.join(installed, "node_modules/osls/package.json");

/** Exactly the versions of the lock file that is kept here: it works with the credentials of whoever deploys. */
export function fetchFramework(): void {
  if (existsSync(frameworkProgram) && isAsPinned()) return;
  console.error("burgee: fetching the framework, this once...");
  const fresh = `${installed}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) {
    cpSync(path.join(pinned, name), path.join(fresh, name));
  }
  const install = ["ci", "--prefix", fresh, "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status, error } = spawnSync("npm", install, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) {
    const why = error ? `npm could not be started: ${error.message}` : `npm ended with exit code ${status}`;
    throw new Refusal(`the framework (osls) could not be fetched; ${why}. It takes a network, this once`);
  }
  rmSync(installed, { recursive: true, force: true });
  renameSync(fresh, installed);
}

export interface Ending {
  code: number;
  wasInterrupted: boolean;
}

/** It writes to this terminal. A signal to this process is one to it; what is left to tell is told after its end. */
export async function runFramework(command: string, { stage, region }: Target): Promise<Ending> {
  const child = spawn(process.execPath, [frameworkProgram, command, "--stage", stage, "--region", region], {
    stdio: "inherit",
    // What it would only advise against, from its next version on it refuses.
    env: { ...process.env, SLS_DEPRECATION_NOTIFICATION_MODE: "error" },
  });
  let wasInterrupted = false;
  const interrupt = (signal: NodeJS.Signals) => {
    wasInterrupted = true;
    child.kill(signal);
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  const [code] = await once(child, "exit");
  process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  return { code: code ?? 1, wasInterrupted };
}

function isAsPinned(): boolean {
  const lock = "package-lock.json";
  return readFileSync(path.join(installed, lock)).equals(readFileSync(path.join(pinned, lock)));
}
