/** Checks what a deployment needs, before anything is created. */
import { Refusal } from "../cli/refusal.ts";
import { connect, explainAwsError, type TableDescription } from "./aws.ts";
import { readReserved } from "./deployments.ts";
import type { Plan } from "./plan.ts";
import type { Settings } from "./settings.ts";

/** "?" could not be looked up, "!" is a warning, "x" prevents the deployment. */
type Result = readonly [mark: "ok" | "?" | "!" | "x", text: string];

/** Lambda keeps this much for functions without reserved concurrency. */
const unreserved = 100;
const usualConcurrency = 1000;
/** None of so many concurrent callers of one environment is refused, if each has a function. */
const promisedCallers = 25;

/** Prints a line for each thing that it checks. */
export async function requireChecked(plan: Plan): Promise<void> {
  const lookUps: Record<string, () => Result | Promise<Result>> = {
    credentials: async () => ["ok", (await connect("STS", plan.region).getCallerIdentity({})).Arn],
    settings: () => checkSettings(plan),
    concurrency: () => checkConcurrency(plan),
    table: () => checkTable(plan),
    alarms: () => checkAlarms(plan),
  };
  const results = await Promise.all(Object.values(lookUps).map(settle));
  Object.keys(lookUps).forEach((about, index) => {
    const [mark = "", text] = results[index] ?? [];
    console.error(`${mark.padStart(4)}  ${about.padEnd(11)}  ${text}`);
  });
  if (results.some(([mark]) => mark === "x")) throw new Refusal("nothing was changed: see the lines with x");
}

/** A deployer may lack the permission for a look-up, which a deployment does not need. */
async function settle(lookUp: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await lookUp();
  } catch (error) {
    const reason = explainAwsError(error);
    if (reason === undefined) throw error;
    const isDenied = /^(AccessDenied|AuthorizationError|Forbidden)/.test((error as Error).name);
    return isDenied ? ["?", `not checked: ${reason}`] : ["x", reason];
  }
}

function checkSettings({ name, settings, own, changed, otherStages }: Plan): Result {
  const left = Object.entries(settings).filter(([, value]) =>
    /\b123456789012\b|\bexample\.(com|org|net)\b|\.\.\./.test(JSON.stringify(value)),
  );
  if (left.length > 0) return ["x", `replace the placeholders of ${left.map(([name]) => name).join(", ")}`];
  if (otherStages) {
    return [
      "!",
      `the file has no stage "${name}", and changes nothing: it has ${otherStages.join(", ") || "none"}`,
    ];
  }
  if (changed.length > 0) return ["ok", `this changes ${changed.join(", ")}`];
  const kept = Object.keys(own);
  return ["ok", kept.length > 0 ? `as deployed: ${kept.join(", ")}` : "those of infra/aws/settings.yml"];
}

async function checkConcurrency(plan: Plan): Promise<Result> {
  const { AccountLimit } = await connect("Lambda", plan.region).getAccountSettings({});
  const { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: free } = AccountLimit;
  const { tags = 0, variants = 0, read = 0 } = plan.settings.reservedConcurrency;
  const reserved = tags + variants + read;
  if (reserved > 0) {
    const available = free + (plan.deployed ? await readReserved(plan) : 0);
    if (reserved + unreserved > available) {
      const text = `reservedConcurrency is ${reserved}, but this account has ${available} that nothing else reserves`;
      return ["x", `${text}, and must keep ${unreserved}: set {}, or request more (Service Quotas)`];
    }
  }
  if (limit >= usualConcurrency) {
    return ["ok", `this account has ${limit} for all functions, and ${reserved} are reserved here`];
  }
  const few = limit < promisedCallers ? `, also some of ${promisedCallers} callers of one environment` : "";
  const text = `this account runs ${limit} functions at once, and refuses more requests with 503${few}`;
  return ["!", `${text}: request ${usualConcurrency} (Service Quotas)`];
}

async function checkTable({ stack, region, settings, deployed }: Plan): Promise<Result> {
  const { table: TableName } = settings;
  if (typeof TableName !== "string") {
    const isNew = `${stack} is new in ${region}, and starts with an empty table`;
    return ["ok", deployed?.outputs.OwnTable ?? isNew];
  }
  const lookUp = connect("DynamoDB", region).describeTable({ TableName });
  return requireThere(lookUp, `the table ${TableName} in ${region}`, ({ Table }) => {
    const names = unreached(settings, Table);
    if (names.length === 0) return ["ok", TableName];
    const text = `${TableName} is not the stack's own, and these settings do not reach it: ${names.join(", ")}`;
    return ["!", `${text}. "Restore" in docs/RUNBOOK.md sets them there`];
  });
}

/** The settings that only the stack's own table gets by itself, and this one has not or cannot be seen to have. */
function unreached(settings: Settings, table: TableDescription) {
  const { maxReadUnits, maxWriteUnits, events } = settings;
  const { GlobalSecondaryIndexes: indexes = [], LatestStreamArn } = table;
  const ceilings = [table, ...indexes].map(({ OnDemandThroughput = {} }) => OnDemandThroughput);
  const isUnreached = {
    maxReadUnits: ceilings.some(({ MaxReadRequestUnits }) => MaxReadRequestUnits !== maxReadUnits),
    maxWriteUnits: ceilings.some(({ MaxWriteRequestUnits }) => MaxWriteRequestUnits !== maxWriteUnits),
    "events (streamArn)": events.to === "bus" && events.streamArn !== LatestStreamArn,
  };
  return Object.entries(isUnreached).flatMap(([name, is]) => (is ? name : []));
}

async function checkAlarms({ region, settings: { alarmTopic, monitoring, events } }: Plan): Promise<Result> {
  if (!monitoring && events.to === "none") return ["ok", "none"];
  if (alarmTopic.kind === "none") return ["!", "they have no recipient: set alarmTopic"];
  if (alarmTopic.kind === "email") {
    return ["ok", `${alarmTopic.address}, once it has followed the link that AWS sends`];
  }
  const { arn } = alarmTopic;
  return requireThere(connect("SNS", region).getTopicAttributes({ TopicArn: arn }), `the topic ${arn}`);
}

async function requireThere<Found>(
  lookUp: Promise<Found>,
  what: string,
  compare: (found: Found) => Result = () => ["ok", what],
): Promise<Result> {
  try {
    return compare(await lookUp);
  } catch (error) {
    if (!/NotFound|^InvalidParameter/.test((error as Error).name)) throw error;
    return ["x", `${what} does not exist: correct the settings`];
  }
}
