/** Fetches and runs the framework, which makes the template and the archives from serverless.yml. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fetchLocked } from "../build/fetch.mjs";
import { Refusal } from "../cli/refusal.ts";

const modules = path.resolve(".cache/osls/node_modules");
const frameworkProgram = path.join(modules, "osls/bin/serverless.js");

/** For `createRequire`: resolves the framework's own packages. */
export const frameworkPackages = path.join(modules, "osls/package.json");

/** Fetches exactly the versions of our lock file. */
export function fetchFramework(): void {
  try {
    fetchLocked("osls", "infra/aws/osls");
  } catch (error) {
    const { message } = error as Error;
    throw new Refusal(`the framework ${message}\nThe first run of this command needs the npm registry`);
  }
}

export interface Template {
  Parameters: Record<string, { Default?: string | number }>;
  Resources: Record<string, { Type: string; DeletionPolicy?: string }>;
}

export interface Packaged {
  template: Template;
  /** What a deployment stores, by name. */
  files: Readonly<Record<string, Buffer>>;
  /** Of the files: builds are reproducible, so it says whether something changed. */
  digest: string;
}

const folder = ".serverless";
const names = {
  "template.json": "cloudformation-template-update-stack.json",
  "tags.zip": "tags.zip",
  "variants.zip": "variants.zip",
  "read.zip": "read.zip",
};

export function makePackage({ name, region }: { name: string; region: string }): Packaged {
  const { status } = spawnSync(
    process.execPath,
    [frameworkProgram, "package", "--stage", name, "--region", region],
    // Deprecations fail now, before a later version removes the feature.
    {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, SLS_DEPRECATION_NOTIFICATION_MODE: "error" },
    },
  );
  if (status !== 0) throw new Refusal("nothing was packaged; the reason is printed above");
  const read = Object.entries(names).map(
    ([as, file]) => [as, readFileSync(path.join(folder, file))] as const,
  );
  const hash = createHash("sha256");
  for (const [, content] of read) hash.update(content);
  const files = Object.fromEntries(read);
  const template: Template = JSON.parse(String(files["template.json"]));
  return { template, files, digest: hash.digest("hex").slice(0, 8) };
}
