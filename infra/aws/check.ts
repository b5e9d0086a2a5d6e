/** Checks what a deployment needs, before anything is changed. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { Refusal } from "../cli/refusal.ts";
import { connect, explainAwsError } from "./aws.ts";
import type { Plan } from "./release.ts";

/** "?" could not be looked up, "!" is a warning, "x" prevents the deployment. */
type Result = readonly [mark: "ok" | "?" | "!" | "x", text: string];

const usualConcurrency = 1000;

/** Prints a line for each thing that it checks. */
export async function requireChecked(plan: Plan): Promise<void> {
  const lookUps: Record<string, () => Result[] | Promise<Result[]>> = {
    credentials: async () => [["ok", (await connect("STS", plan.region).getCallerIdentity({})).Arn]],
    bootstrap: () => [checkBootstrap(plan)],
    settings: () => checkSettings(plan),
    concurrency: async () => [await checkConcurrency(plan)],
    table: () => [checkTable(plan)],
    alarms: () => [checkAlarms(plan)],
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
    ...takenAway.map((what): Result => ["!", `this takes away ${what}`]),
  ];
  return results.length > 0 ? results : [["ok", "the defaults"]];
}

async function checkConcurrency({ region }: Plan): Promise<Result> {
  const { AccountLimit } = await connect("Lambda", region).getAccountSettings({});
  const { ConcurrentExecutions: limit } = AccountLimit;
  if (limit >= usualConcurrency) return ["ok", `this account runs ${limit} functions at once`];
  const text = `this account runs ${limit} functions at once, and refuses more requests with 503`;
  return ["!", `${text}: request ${usualConcurrency} (Service Quotas)`];
}

/** A mistyped region would make a second stage. */
function checkTable({ stack, region, deployed }: Plan): Result {
  const { TableName } = deployed?.outputs ?? {};
  return TableName
    ? ["ok", TableName]
    : ["!", `${stack} is new in ${region}, and starts with an empty table`];
}

function checkAlarms({ settings: { values } }: Plan): Result {
  const { Monitoring, EventBusArn, AlarmEmail, AlarmTopicArn } = values;
  if (Monitoring === "false" && !EventBusArn) return ["ok", "none"];
  if (AlarmTopicArn) return ["ok", AlarmTopicArn];
  if (AlarmEmail) return ["ok", `${AlarmEmail}, once it has followed the link that AWS sends`];
  return ["!", "they have no recipient: set AlarmEmail or AlarmTopicArn"];
}
