/** Checks what a deployment needs, before anything is created. */
import { connect, explain, isDenied } from "./aws.ts";
import type { Settings, Stage } from "./settings.ts";
import type { Stack } from "./stack.ts";

/** "?" could not be looked up, "!" needs a confirmation, "x" prevents the deployment. */
interface Result {
  mark: "ok" | "?" | "!" | "x";
  text: string;
}

export interface Finding extends Result {
  about: string;
}

/** Lambda keeps this much for functions without reserved concurrency. */
const unreserved = 100;
const usualConcurrency = 1000;

export async function check(stage: Stage, stack: Stack | undefined): Promise<Finding[]> {
  const { settings, region } = stage;
  const findings: [about: string, lookUp: () => Result | Promise<Result>][] = [
    ["credentials", async () => ok((await connect("STS", region).getCallerIdentity({})).Arn)],
    ["region", () => checkRegion(region)],
    ["settings", () => checkPlaceholders(settings)],
    ["concurrency", () => checkConcurrency(stage)],
    ["table", () => checkTable(stage, stack)],
    ["alarms", () => checkTopic(stage)],
  ];
  return Promise.all(findings.map(async ([about, lookUp]) => ({ about, ...(await settle(lookUp, region)) })));
}

/** A deployer may lack the permission for a look-up, which a deployment does not need. */
async function settle(lookUp: () => Result | Promise<Result>, region: string): Promise<Result> {
  try {
    return await lookUp();
  } catch (error) {
    const text = explain(error, region);
    return isDenied(error) ? { mark: "?", text: `not checked: ${text}` } : { mark: "x", text };
  }
}

const ok = (text: string): Result => ({ mark: "ok", text });

function checkRegion(region: string): Result {
  const { AWS_REGION: other = region } = process.env;
  if (other === region) return ok(region);
  return { mark: "!", text: `${region}, by the settings; AWS_REGION is ${other}, and is not used` };
}

function checkPlaceholders(settings: Settings): Result {
  const left = Object.entries(settings).filter(([, value]) =>
    /\b123456789012\b|\bexample\.(com|org|net)\b|\.\.\./.test(JSON.stringify(value)),
  );
  if (left.length === 0) return ok("no placeholders are left");
  return { mark: "x", text: `replace the placeholders of ${left.map(([name]) => name).join(", ")}` };
}

async function checkConcurrency({ region, settings }: Stage): Promise<Result> {
  const { AccountLimit } = await connect("Lambda", region).getAccountSettings({});
  const limit = AccountLimit.ConcurrentExecutions;
  const { tags = 0, variants = 0 } = settings.reservedConcurrency;
  const reserved = tags + variants;
  if (reserved > 0 && reserved + unreserved > limit) {
    const text = `reservedConcurrency is ${reserved}, but this account has ${limit} and must keep ${unreserved}`;
    return { mark: "x", text: `${text}: set {}, or request more (Service Quotas)` };
  }
  const text = `this account has ${limit} for all functions, and ${reserved} are reserved here`;
  if (limit >= usualConcurrency) return ok(text);
  return { mark: "!", text: `${text}. Larger bursts get 503: request ${usualConcurrency} (Service Quotas)` };
}

async function checkTable({ stack, region, settings }: Stage, deployed: Stack | undefined): Promise<Result> {
  if (typeof settings.table === "string") {
    try {
      await connect("DynamoDB", region).describeTable({ TableName: settings.table });
      return ok(settings.table);
    } catch (error) {
      if ((error as Error).name !== "ResourceNotFoundException") throw error;
      return {
        mark: "x",
        text: `there is no table ${settings.table} in ${region}: correct the setting "table"`,
      };
    }
  }
  const { OwnTable } = deployed?.outputs ?? {};
  if (OwnTable !== undefined) return ok(OwnTable);
  return ok(`${stack} is new, and starts with an empty table, even if the stage had another name before`);
}

async function checkTopic({ region, settings: { alarmTopic, monitoring, events } }: Stage): Promise<Result> {
  if (monitoring === "none" && events.to === "none") return ok("none");
  if (alarmTopic.kind === "none") return { mark: "!", text: "they have no recipient: set alarmTopic" };
  if (alarmTopic.kind === "email") {
    return ok(`${alarmTopic.address}, once it has followed the link that AWS sends`);
  }
  try {
    await connect("SNS", region).getTopicAttributes({ TopicArn: alarmTopic.arn });
    return ok(alarmTopic.arn);
  } catch (error) {
    if (!/^(NotFound|InvalidParameter)/.test((error as Error).name)) throw error;
    return { mark: "x", text: `there is no topic ${alarmTopic.arn} in ${region}: correct alarmTopic` };
  }
}
