/** Makes the template of each stage by the framework, and what CloudFormation makes of it with settings. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { makePackage } from "../../infra/aws/framework.ts";

export interface Resource {
  Type: string;
  Properties: Properties;
  DeletionPolicy?: string;
  DependsOn?: string[];
  Condition?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: each type has its own; another test validates them by AWS's schemas.
type Properties = any;

export interface Template {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown; Condition?: string }>;
  Parameters: Record<string, { Type: string; Default?: string | number; AllowedPattern?: string }>;
  Conditions: Record<string, unknown>;
}

export const names = ["prod", "staging", "dev"];

const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000";
const busArn = "arn:aws:events:us-east-1:123456789012:event-bus/default";
const topicArn = "arn:aws:sns:us-east-1:123456789012:alarms";

/** Settings of prod; those that exclude each other are in both. */
const settings: Record<string, Record<string, string>> = {
  options: {
    AlarmTopicArn: topicArn,
    AlarmNoTraffic: "true",
    EventBusArn: busArn,
    GuardAlarms: "checkout-",
    GuardProject: "default",
    GuardEnvironment: "production",
    DomainName: "flags.example.com",
    CertificateArn: certificateArn,
    TagsConcurrency: "20",
    VariantsConcurrency: "30",
    ReadConcurrency: "10",
    CorsOrigins: "https://admin.example.com,http://127.0.0.1:3000",
  },
  others: {
    AlarmTopicArn: topicArn,
    DomainName: "flags.example.com",
    CertificateArn: certificateArn,
    Truststore: "s3://burgee-archives/truststore.pem",
    EventBusArn: busArn,
  },
};

const folder = ".cache/templates";

export const fileOf = (name: string) => `${folder}/${name}.json`;

/** Reads the template that the framework makes, for all settings. */
export function readWhole(name: string): Template {
  return JSON.parse(readFileSync(fileOf(name), "utf8"));
}

/** Reads the template of a stage, or of prod with these settings: without what a condition turns off, and with the values of parameters. */
export function readTemplate(name: string): Template {
  const whole = readWhole(name in settings ? "prod" : name);
  const defaults = Object.entries(whole.Parameters).map(([key, { Default }]) => [key, Default ?? `{${key}}`]);
  const values: Record<string, string | number> = { ...Object.fromEntries(defaults), ...settings[name] };
  const holds = (condition = ""): boolean => compute(whole.Conditions[condition]) === true;
  function compute(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(compute).filter((one) => one !== undefined);
    if (typeof value !== "object" || value === null) return value;
    const [[key = "", given] = []] = Object.entries(value);
    const list = [given].flat();
    if (key === "Ref" && given === "AWS::NoValue") return undefined;
    if (key === "Ref" && String(given) in values) {
      const found = values[String(given)];
      const { Type } = whole.Parameters[String(given)] ?? {};
      if (Type === "Number") return Number(found);
      return Type === "CommaDelimitedList" ? String(found).split(",") : found;
    }
    if (key === "Condition" && typeof given === "string") return holds(given);
    if (key === "Fn::If") return compute(holds(String(list[0])) ? list[1] : list[2]);
    if (key === "Fn::Not") return compute(list[0]) !== true;
    if (key === "Fn::And") return list.every((one) => compute(one) === true);
    if (key === "Fn::Or") return list.some((one) => compute(one) === true);
    if (key === "Fn::Equals") return String(compute(list[0])) === String(compute(list[1]));
    if (key === "Fn::Join" && Array.isArray(compute(list[1]))) {
      const parts = compute(list[1]) as unknown[];
      if (parts.every((part) => typeof part !== "object")) return parts.join(String(list[0]));
    }
    const members = Object.entries(value).map(([name, inner]) => [name, compute(inner)]);
    return Object.fromEntries(members.filter(([, inner]) => inner !== undefined));
  }
  const made = (all: Record<string, { Condition?: string }>) =>
    Object.fromEntries(
      Object.entries(all).flatMap(([key, { Condition, ...rest }]) =>
        Condition === undefined || holds(Condition) ? [[key, compute(rest)]] : [],
      ),
    );
  return { ...whole, Resources: made(whole.Resources), Outputs: made(whole.Outputs) } as Template;
}

export function propertiesOf({ Resources }: Template): Record<string, Properties> {
  return Object.fromEntries(Object.entries(Resources).map(([name, { Properties }]) => [name, Properties]));
}

export function resourcesOf({ Resources }: Template, type: string): [name: string, resource: Resource][] {
  return Object.entries(Resources).filter(([, { Type }]) => Type === type);
}

export default function makeTemplates(): void {
  mkdirSync(folder, { recursive: true });
  // Deprecations fail here, before a later version removes the feature.
  process.env.SLS_DEPRECATION_NOTIFICATION_MODE = "error";
  for (const name of names) {
    makePackage({ name, region: "us-east-1" });
    copyFileSync(".serverless/cloudformation-template-update-stack.json", fileOf(name));
  }
}
