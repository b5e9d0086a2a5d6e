/** Fetches and runs the framework, which makes a template from serverless.yml and deploys it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { FetchError, fetchLocked } from "../build/fetch.mjs";
import { Refusal } from "../refusal.ts";
import type { Stage } from "./settings.ts";

const modules = path.resolve(".cache/osls/node_modules");
export const frameworkProgram = path.join(modules, "osls/bin/serverless.js");

/** For `createRequire`: resolves the framework's own packages. */
export const frameworkPackages = path.join(modules, "osls/package.json");

/** Fetches exactly the versions of our lock file, as the framework runs with the operator's credentials. */
export function fetchFramework(): void {
  try {
    fetchLocked("osls", "infra/deploy/osls");
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    throw new Refusal(`the framework ${error.message}\nThe first run of this command needs the npm registry`);
  }
}

/** The validated settings of the stage, which serverless.yml reads. */
const settingsFile = "dist/settings.json";

export class Interruption extends Refusal {}

export interface Ending {
  code: number;
  wasInterrupted: boolean;
}

/** Runs it in this terminal. Passes signals on to it, so that the result can be reported after it has ended. */
export async function runFramework(
  command: string,
  { name, region, settings }: Stage,
  options: readonly string[] = [],
): Promise<Ending> {
  const given = [command, "--stage", name, "--region", region, ...options];
  writeFileSync(settingsFile, JSON.stringify({ [name]: settings }));
  const child = spawn(process.execPath, [frameworkProgram, ...given], {
    stdio: "inherit",
    env: {
      ...process.env,
      BURGEE_STAGES: settingsFile,
      // Deprecations fail now, before a later version removes the feature.
      SLS_DEPRECATION_NOTIFICATION_MODE: "error",
    },
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
