/** Fetches and runs the framework, which makes a template from serverless.yml and deploys it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fetchLocked } from "../build/fetch.mjs";
import { Refusal } from "../cli/refusal.ts";
import type { Stage } from "./settings.ts";

const modules = path.resolve(".cache/osls/node_modules");
const frameworkProgram = path.join(modules, "osls/bin/serverless.js");

/** For `createRequire`: resolves the framework's own packages. */
export const frameworkPackages = path.join(modules, "osls/package.json");

/** Fetches exactly the versions of our lock file, as the framework runs with the operator's credentials. */
export function fetchFramework(): void {
  try {
    fetchLocked("osls", "infra/aws/osls");
  } catch (error) {
    const { message } = error as Error;
    throw new Refusal(`the framework ${message}\nThe first run of this command needs the npm registry`);
  }
}

/** The validated settings of the stage, which serverless.yml reads. */
const settingsFile = "dist/settings.json";

/** Runs it in this terminal, and returns its exit code. Ctrl-C ends only the framework, so that a report can follow. */
export async function runFramework(
  command: string,
  { name, region, settings }: Stage,
  options: readonly string[],
): Promise<number | null> {
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
  const interrupt = () => child.kill("SIGINT");
  process.on("SIGINT", interrupt);
  const [code] = await once(child, "exit");
  process.off("SIGINT", interrupt);
  return code;
}
