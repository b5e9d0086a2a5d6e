/** Makes the template of each stage, and of prod with each option, once for all tests. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { frameworkProgram } from "../../infra/deploy/framework.ts";

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own; another test validates them by AWS's schemas.
  Properties: any;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string[];
}

export interface Template {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown }>;
}

export const stages = ["prod", "staging", "dev"] as const;

const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000";
const domain = { kind: "custom", name: "flags.example.com", certificateArn, defaultAddress: true };
const bus = { ...readSettings().prod?.events, to: "bus" };
const boundary = "arn:aws:iam::123456789012:policy/boundary";
const topicArn = "arn:aws:sns:us-east-1:123456789012:alarms";
const cors = {
  allowedOrigins: ["https://admin.example.com"],
  allowedHeaders: ["Authorization"],
  maxAge: 600,
};

/** Settings of prod instead of its own. */
const options = {
  email: { alarmTopic: { kind: "email", address: "ops@example.com" } },
  existing: { alarmTopic: { kind: "existing", arn: topicArn } },
  events: { events: bus },
  domain: { domain },
  domainOnly: { domain: { ...domain, defaultAddress: false } },
  tablePolicy: { tablePolicy: "people" },
  full: { monitoring: "full" },
  unwatched: { monitoring: "none" },
  traced: { tracing: "Active" },
  boundary: { permissionsBoundary: boundary },
  reserved: { reservedConcurrency: { tags: 20, variants: 30 } },
  cors: { cors },
  restored: { table: "burgee-prod-restored" },
} satisfies Record<string, object>;

const every = Object.assign({}, ...Object.values(options), options.email, options.domain, options.full, {
  table: { Ref: "Table" },
});

interface Variant {
  stage: string;
  settings?: object;
  parameters?: string[];
}

const variants: Record<string, Variant> = {
  ...Object.fromEntries(stages.map((stage) => [stage, { stage }])),
  ...Object.fromEntries(
    Object.entries(options).map(([name, settings]) => [name, { stage: "prod", settings }]),
  ),
  every: { stage: "prod", settings: every },
  first: { stage: "prod", parameters: ["keepTable=false"] },
  switched: {
    stage: "prod",
    settings: options.restored,
    parameters: ["tables=both", "oldTable=burgee-prod-old"],
  },
};

export const names = Object.keys(variants);

const folder = path.resolve(".cache/templates");

export const fileOf = (name: string) => path.join(folder, `${name}.json`);

export function readTemplate(name: string): Template {
  return JSON.parse(readFileSync(fileOf(name), "utf8"));
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

function readSettings(): Record<string, Record<string, object>> {
  return parse(readFileSync("infra/settings.yml", "utf8"), { merge: true });
}

export default async function makeTemplates(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const sources = readdirSync("infra").filter((name) => name.endsWith(".yml"));
  const texts = ["serverless.yml", ...sources.map((name) => `infra/${name}`)].map((name) =>
    readFileSync(name),
  );
  const key = createHash("sha256")
    .update(JSON.stringify(variants))
    .update(Buffer.concat(texts))
    .digest("hex");
  if (existsSync(path.join(folder, key))) return;
  const waiting = Object.entries(variants);
  const work = async () => {
    // The framework works in the folder of serverless.yml.
    const copy = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
    for (const name of ["serverless.yml", "infra", "dist"]) {
      cpSync(name, path.join(copy, name), { recursive: true });
    }
    for (let next = waiting.pop(); next; next = waiting.pop()) await synthesise(copy, ...next);
  };
  await Promise.all([work(), work()]);
  writeFileSync(path.join(folder, key), "");
}

async function synthesise(copy: string, name: string, variant: Variant): Promise<void> {
  const { stage, settings, parameters = [] } = variant;
  const all = readSettings();
  const file = path.join(copy, "settings.json");
  writeFileSync(file, JSON.stringify({ ...all, [stage]: { ...all[stage], ...settings } }));
  const given = ["package", "--stage", stage, ...parameters.map((one) => `--param=${one}`)];
  await promisify(execFile)(process.execPath, [frameworkProgram, ...given], {
    cwd: copy,
    env: { ...process.env, BURGEE_STAGES: file },
  });
  writeFileSync(
    fileOf(name),
    readFileSync(path.join(copy, ".serverless/cloudformation-template-update-stack.json")),
  );
}
