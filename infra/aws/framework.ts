/** Fetches and runs the framework, which makes a template from serverless.yml and deploys it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fetchLocked } from "../build/fetch.mjs";
import { Refusal } from "../cli/refusal.ts";

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

/** Of a plan: what serverless.yml reads. */
interface Input {
  name: string;
  region: string;
  settings: object;
  own: object;
  bootstrap: object;
}

const settingsFile = "dist/settings.json";

/** Runs it in this terminal, and returns its exit code. Ctrl-C ends only the framework, so that a report can follow. */
export async function runFramework(
  command: "package" | "deploy",
  { name, region, settings, own, bootstrap }: Input,
  options: readonly string[],
): Promise<number | null> {
  const given = [command, "--stage", name, "--region", region, ...options];
  const stage = { ...settings, own: JSON.stringify(own), bootstrap };
  writeFileSync(settingsFile, JSON.stringify({ [name]: stage }));
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
