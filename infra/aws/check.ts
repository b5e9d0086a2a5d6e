/** Checks what a deployment needs, before anything is changed. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { Refusal } from "../cli/refusal.ts";
import { connect, explainAwsError } from "./aws.ts";
import type { Plan } from "./release.ts";
import type { Values } from "./stack.ts";

/** "?" could not be looked up, "!" is a warning, "x" prevents the deployment. */
type Result = readonly [mark: "ok" | "?" | "!" | "x", text: string];

/** Lambda keeps this much for functions without reserved concurrency. */
const unreserved = 100;
const usualConcurrency = 1000;
/** None of so many concurrent callers of one environment is refused, if each has a function. */
const promisedCallers = 25;

/** Prints a line for each thing that it checks. */
export async function requireChecked(plan: Plan): Promise<void> {
  const lookUps: Record<string, () => Result[] | Promise<Result[]>> = {
    credentials: async () => [["ok", (await connect("STS", plan.region).getCallerIdentity({})).Arn]],
    bootstrap: () => [checkBootstrap(plan)],
    settings: () => checkSettings(plan),
    concurrency: async () => [await checkConcurrency(plan)],
    table: () => [checkTable(plan)],
    alarms: async () => [await checkAlarms(plan)],
  };
  const results = await Promise.all(Object.values(lookUps).map(settle));
  Object.keys(lookUps).forEach((about, index) => {
    for (const [mark, text] of results[index] ?? []) {
      console.error(`${mark.padStart(4)}  ${about.padEnd(11)}  ${text}`);
    }
  });
  if (results.flat().some(([mark]) => mark === "x")) {
    throw new Refusal("nothing was changed: see the lines with x");
  }
}

/** A deployer may lack the permission for a look-up, which a deployment does not need. */
async function settle(lookUp: () => Result[] | Promise<Result[]>): Promise<Result[]> {
  try {
    return await lookUp();
  } catch (error) {
    const reason = explainAwsError(error);
    if (reason === undefined) throw error;
    const isDenied = /^(AccessDenied|AuthorizationError|Forbidden)/.test((error as Error).name);
    return [isDenied ? ["?", `not checked: ${reason}`] : ["x", reason]];
  }
}

/** Without it a deployment would drop the boundary of the roles, and an older one may lack what this commit needs. */
function checkBootstrap({ bootstrap, stack, region }: Plan): Result {
  const name = `people-${stack}`;
  const advice = "an administrator deploys infra/aws/bootstrap.yml: docs/OPERATIONS.md#permissions";
  if (!bootstrap) return ["x", `there is no stack ${name} in ${region}: ${advice}`];
  const { Outputs } = parse(readFileSync("infra/aws/bootstrap.yml", "utf8"));
  const needed = Number(Outputs.Version.Value);
  const { Version = "0" } = bootstrap.outputs;
  if (Number(Version) >= needed) return ["ok", `${name}, version ${Version}`];
  return ["x", `${name} has version ${Version}, and this commit needs ${needed}: ${advice}`];
}

function checkSettings({ settings: { notDefault, warnings, takenAway } }: Plan): Result[] {
  const results: Result[] = [
    ...notDefault.map((text): Result => ["ok", text]),
    ...warnings.map((text): Result => ["!", text]),
    ...takenAway.map((name): Result => ["!", `this takes the protection of ${name} away`]),
  ];
  return results.length > 0 ? results : [["ok", "the defaults"]];
}

async function checkConcurrency({ region, settings, deployed }: Plan): Promise<Result> {
  const { AccountLimit } = await connect("Lambda", region).getAccountSettings({});
  const { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: free } = AccountLimit;
  const reserved = sumReserved(settings.values);
  if (reserved > 0) {
    const available = free + sumReserved(deployed?.parameters ?? {});
    if (reserved + unreserved > available) {
      const text = `${reserved} would be reserved, but this account has ${available} that nothing else reserves`;
      return ["x", `${text}, and must keep ${unreserved}: lower them, or request more (Service Quotas)`];
    }
  }
  if (limit >= usualConcurrency) {
    return ["ok", `this account has ${limit} for all functions, and ${reserved} are reserved here`];
  }
  const few = limit < promisedCallers ? `, also some of ${promisedCallers} callers of one environment` : "";
  const text = `this account runs ${limit} functions at once, and refuses more requests with 503${few}`;
  return ["!", `${text}: request ${usualConcurrency} (Service Quotas)`];
}

const sumReserved = ({ TagsConcurrency, VariantsConcurrency, ReadConcurrency }: Values) =>
  [TagsConcurrency, VariantsConcurrency, ReadConcurrency].reduce((sum, each) => sum + Number(each ?? 0), 0);

/** A mistyped region would make a second stage. */
function checkTable({ stack, region, deployed }: Plan): Result {
  const { TableName } = deployed?.outputs ?? {};
  return TableName
    ? ["ok", TableName]
    : ["!", `${stack} is new in ${region}, and starts with an empty table`];
}

async function checkAlarms({ region, settings: { values } }: Plan): Promise<Result> {
  const { Monitoring, EventBusArn, AlarmEmail, AlarmTopicArn: TopicArn } = values;
  if (Monitoring === "false" && !EventBusArn) return ["ok", "none"];
  if (!TopicArn) {
    if (!AlarmEmail) return ["!", "they have no recipient: set AlarmEmail or AlarmTopicArn"];
    return ["ok", `${AlarmEmail}, once it has followed the link that AWS sends`];
  }
  try {
    await connect("SNS", region).getTopicAttributes({ TopicArn });
    return ["ok", TopicArn];
  } catch (error) {
    if (!/NotFound|^InvalidParameter/.test((error as Error).name)) throw error;
    return ["x", `the topic ${TopicArn} does not exist: correct AlarmTopicArn`];
  }
}
