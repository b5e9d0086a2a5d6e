/** Makes the templates that the tests read, by the framework: of each stage, and of prod with other settings. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { fetchFramework, runFramework } from "../../infra/aws/framework.ts";
import { findStage, type Plan, planFirst } from "../../infra/aws/plan.ts";
import type { Settings } from "../../infra/aws/settings.ts";

export interface Resource {
  Type: string;
  Properties: Properties;
  DeletionPolicy?: string;
  DependsOn?: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: each type has its own; another test validates them by AWS's schemas.
type Properties = any;

export interface Template {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown }>;
}

const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000";
const domain = { kind: "custom", name: "flags.example.com", certificateArn, defaultAddress: true } as const;

const planOf = async (stage: string) => planFirst(await findStage(stage, "us-east-1"), undefined);
const { settings: prod } = await planOf("prod");

/** Settings of prod instead of its own; settings that exclude each other are in both. */
const options: Partial<Settings> = {
  alarmTopic: { kind: "email", address: "ops@example.com" },
  events: { ...prod.events, to: "bus" },
  domain,
  reservedConcurrency: { tags: 20, variants: 30, read: 10 },
  cors: {
    allowedOrigins: ["https://admin.example.com"],
    allowedHeaders: ["Authorization"],
    exposedResponseHeaders: ["ETag"],
    maxAge: 600,
  },
};
const others: Partial<Settings> = {
  alarmTopic: { kind: "existing", arn: "arn:aws:sns:us-east-1:123456789012:alarms" },
  domain: {
    ...{ ...domain, defaultAddress: false },
    truststore: { TruststoreUri: "s3://burgee-archives/truststore.pem" },
  },
  table: "burgee-prod-restored",
  events: {
    to: "bus",
    busArn: "arn:aws:events:us-east-1:123456789012:event-bus/other",
    streamArn:
      "arn:aws:dynamodb:us-east-1:123456789012:table/burgee-prod-restored/stream/2026-11-21T14:00:00.000",
  },
};

interface Variant {
  stage: string;
  settings?: Partial<Settings>;
  bootstrap?: Plan["bootstrap"];
  parameters?: string[];
}

const variants: Record<string, Variant> = {
  prod: { stage: "prod" },
  staging: { stage: "staging" },
  dev: { stage: "dev" },
  options: {
    stage: "prod",
    settings: options,
    bootstrap: {
      Role: "arn:aws:iam::123456789012:role/cloudformation",
      Bucket: "burgee-archives",
      Boundary: "arn:aws:iam::123456789012:policy/boundary",
    },
  },
  others: { stage: "prod", settings: others, parameters: ["tables=both", "oldTable=burgee-prod-old"] },
};

export const names = Object.keys(variants);

const folder = ".cache/templates";

export const fileOf = (name: string) => `${folder}/${name}.json`;
const stateOf = (name: string) => `${folder}/${name}.state.json`;

export function readTemplate(name: string): Template {
  return JSON.parse(readFileSync(fileOf(name), "utf8"));
}

/** How the framework deploys the template. */
export function readProvider(name: string) {
  return JSON.parse(readFileSync(stateOf(name), "utf8")).service.provider;
}

export function propertiesOf({ Resources }: Template): Record<string, Properties> {
  return Object.fromEntries(Object.entries(Resources).map(([name, { Properties }]) => [name, Properties]));
}

export function resourcesOf({ Resources }: Template, type: string): [name: string, resource: Resource][] {
  return Object.entries(Resources).filter(([, { Type }]) => Type === type);
}

export default async function makeTemplates(): Promise<void> {
  fetchFramework();
  mkdirSync(folder, { recursive: true });
  for (const [name, { stage, settings, bootstrap = {}, parameters = [] }] of Object.entries(variants)) {
    const plan = await planOf(stage);
    const code = await runFramework(
      "package",
      { ...plan, settings: { ...plan.settings, ...settings }, own: { table: settings?.table }, bootstrap },
      parameters.map((each) => `--param=${each}`),
    );
    if (code !== 0) throw new Error(`the template of ${name} could not be made`);
    copyFileSync(".serverless/cloudformation-template-update-stack.json", fileOf(name));
    copyFileSync(".serverless/serverless-state.json", stateOf(name));
  }
}
