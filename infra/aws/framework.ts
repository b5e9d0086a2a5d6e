/** Fetches and runs the framework, which makes the template and the archives from serverless.yml. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fetchLocked } from "../build/fetch.mjs";
import { Refusal } from "../cli/refusal.ts";

const frameworkProgram = path.resolve(".cache/osls/node_modules/osls/bin/serverless.js");

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
  /** The folder of the deployment before, once it is stored. */
  Metadata?: { Before?: string };
}

export interface Packaged {
  template: Template;
  /** The archives of the functions, by file name. */
  archives: Readonly<Record<string, Buffer>>;
  /** A hash of the package. Builds are reproducible, so another hash means that something has changed. */
  digest: string;
}

export function makePackage({ name, region }: { name: string; region: string }): Packaged {
  fetchFramework();
  // It calls no AWS, so it gets no credentials.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("AWS_")));
  const { status, stdout } = spawnSync(
    process.execPath,
    [frameworkProgram, "package", "--stage", name, "--region", region],
    { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8", env },
  );
  if (status !== 0) throw new Refusal(`nothing was packaged:\n${stdout.trim()}`);
  const read = (file: string) => readFileSync(path.join(".serverless", file));
  const names = ["tags.zip", "variants.zip", "read.zip"];
  const archives = Object.fromEntries(names.map((name) => [name, read(name)]));
  const template = read("cloudformation-template-update-stack.json");
  const hash = createHash("sha256");
  for (const content of [template, ...Object.values(archives)]) hash.update(content);
  return { template: JSON.parse(String(template)), archives, digest: hash.digest("hex").slice(0, 8) };
}
