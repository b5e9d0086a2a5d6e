/** Makes the template that an operator with these settings would deploy. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse, stringify } from "yaml";
import { frameworkProgram } from "../../infra/deploy/framework.ts";

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own; another test validates them by AWS's schemas.
  Properties: any;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string[];
  UpdatePolicy?: unknown;
}

export interface Template {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown }>;
}

export const stages = ["prod", "staging", "dev"] as const;

/** The settings with all options on. */
export const everyOption = {
  alarmTopic: "email",
  events: "bus",
  domain: "custom",
  tablePolicy: "listed",
  reservedConcurrency: { tags: 50, variants: 60 },
  cors: { allowedOrigins: ["https://admin.example.com"], allowedHeaders: ["Authorization"], maxAge: 600 },
};

/** Works on a copy of the sources, in which the stage has these settings instead of its own. */
export function synthesise(stage: string, settings: Readonly<Record<string, unknown>> = {}): Template {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  try {
    for (const name of ["serverless.yml", "infra", "dist"]) {
      cpSync(name, path.join(folder, name), { recursive: true });
    }
    const file = path.join(folder, "infra/stages.yml");
    const all = parse(readFileSync(file, "utf8"), { merge: true });
    writeFileSync(file, stringify({ ...all, [stage]: { ...all[stage], ...settings } }));
    execFileSync(process.execPath, [frameworkProgram, "package", "--stage", stage], {
      cwd: folder,
      stdio: "pipe",
    });
    return readTemplate(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function readTemplate(folder = "."): Template {
  const file = path.join(folder, ".serverless/cloudformation-template-update-stack.json");
  return JSON.parse(readFileSync(file, "utf8"));
}

export function resourcesOf({ Resources }: Template, type: string): [name: string, resource: Resource][] {
  return Object.entries(Resources).filter(([, { Type }]) => Type === type);
}

/** Returns the properties of a resource, or throws if it is missing. */
export function propertiesOf({ Resources }: Template, name: string): Resource["Properties"] {
  const resource = Resources[name];
  if (!resource) throw new Error(`the template has no ${name}: ${Object.keys(Resources).join(", ")}`);
  return resource.Properties;
}
