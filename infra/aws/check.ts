/** Checks what a deployment needs, before anything is changed. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { Refusal } from "../cli/refusal.ts";
import { connect } from "./aws.ts";
import type { ReleasePlan } from "./release.ts";
import type { Values } from "./stack.ts";

/** "!" is a warning, "x" prevents the deployment. */
type Line = readonly [mark: "ok" | "!" | "x", about: string, text: string];

const usualConcurrency = 1000;
/** The concurrency that AWS leaves to functions that reserve none. */
const leastUnreserved = 100;

export async function requireChecked(plan: ReleasePlan): Promise<void> {
  const { Arn = "" } = await connect("STS", plan.region).getCallerIdentity({});
  const lines: Line[] = [
    ["ok", "credentials", Arn],
    checkBootstrap(plan),
    await checkConcurrency(plan),
    ...checkSettings(plan),
  ];
  for (const [mark, about, text] of lines) {
    console.error(`${mark.padStart(4)}  ${about.padEnd(11)}  ${text}`);
  }
  if (lines.some(([mark]) => mark === "x")) throw new Refusal("nothing was changed: see the lines with x");
}

/** Checks the bootstrap stack, which has the bucket, the role and the boundary of a deployment. An older one may lack what this commit needs. */
function checkBootstrap({ bootstrap, stack, region }: ReleasePlan): Line {
  const name = `people-${stack}`;
  const advice = "an administrator deploys infra/aws/bootstrap.yml: docs/OPERATIONS.md#permissions";
  if (!bootstrap) return ["x", "bootstrap", `there is no stack ${name} in ${region}: ${advice}`];
  const { Outputs } = parse(readFileSync("infra/aws/bootstrap.yml", "utf8"));
  const { Version = "0" } = bootstrap.outputs;
  const has = `${name} has version ${Version}`;
  return Number(Version) >= Number(Outputs.Version.Value)
    ? ["ok", "bootstrap", has]
    : ["x", "bootstrap", `${has}, and this commit needs ${Outputs.Version.Value}: ${advice}`];
}

async function checkConcurrency({ region, settings, before }: ReleasePlan): Promise<Line> {
  const { AccountLimit } = await connect("Lambda", region).getAccountSettings({});
  const { ConcurrentExecutions: concurrency = 0, UnreservedConcurrentExecutions: unreserved = concurrency } =
    AccountLimit ?? {};
  const more = reservedBy(settings.values) - reservedBy(before?.parameters ?? {});
  const spare = Math.max(0, unreserved - leastUnreserved);
  if (more > spare) {
    const wanted = `the settings reserve ${more}${before ? " more" : ""} concurrent runs`;
    const advice = "lower them, or request more (Service Quotas)";
    return ["x", "concurrency", `${wanted}, and this account can spare ${spare}: ${advice}`];
  }
  const text = `this account runs ${concurrency} functions at once`;
  if (concurrency >= usualConcurrency) return ["ok", "concurrency", text];
  const advice = `request ${usualConcurrency} (Service Quotas)`;
  return ["!", "concurrency", `${text}, and refuses more requests with 503: ${advice}`];
}

function reservedBy({
  TagsConcurrency = "0",
  VariantsConcurrency = "0",
  ReadConcurrency = "0",
}: Values): number {
  return Number(TagsConcurrency) + Number(VariantsConcurrency) + Number(ReadConcurrency);
}

function checkSettings({ settings: { values, notDefault, warnings } }: ReleasePlan): Line[] {
  const { Monitoring, EventBusArn, AlarmTopicArn, Truststore, DomainName, CertificateArn } = values;
  const { AlarmNoTraffic, GuardAlarms, GuardProject, GuardEnvironment } = values;
  const isUnheard = (Monitoring === "true" || EventBusArn || GuardAlarms) && !AlarmTopicArn;
  const unheard = isUnheard ? ["alarms have no recipient: set AlarmTopicArn"] : [];
  const wrong = [
    ...(Truststore && !DomainName ? ["Truststore needs a DomainName: the API would have no address"] : []),
    ...(DomainName && !CertificateArn ? ["DomainName needs a CertificateArn"] : []),
    ...["KeyCacheSeconds", "DocumentCacheSeconds"]
      .filter((name) => !/^\d+$/.test(values[name] ?? "0"))
      .map((name) => `${name} must be a whole number`),
    ...(AlarmNoTraffic === "true" && Monitoring !== "true" ? ["AlarmNoTraffic needs Monitoring"] : []),
    ...(GuardAlarms && !(GuardProject && GuardEnvironment)
      ? ["GuardAlarms needs a GuardProject and a GuardEnvironment"]
      : []),
    ...(GuardAlarms && Truststore ? ["GuardAlarms needs no Truststore: EventBridge has no certificate"] : []),
  ];
  return [
    ...notDefault.map((text): Line => ["ok", "settings", text]),
    ...[...warnings, ...unheard].map((text): Line => ["!", "settings", text]),
    ...wrong.map((text): Line => ["x", "settings", text]),
  ];
}
