/** Makes what a deployment or a rollback would change visible by a change set, and executes it. */
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Refusal } from "../cli/refusal.ts";
import { connect, explainAwsError, type Parameter, type ResourceChange } from "./aws.ts";
import { describeStack, findStack, type Stack, type Stage, type Values, waitForStack } from "./stack.ts";

export interface ChangeSet {
  name: string;
  changes: readonly ResourceChange[];
  /** Parameters that change: "50 → 7". */
  parameters: Values;
}

interface Input {
  /** Undefined for a first deployment. */
  stack: Stack | undefined;
  url: string;
  /** A parameter that is missing here gets the template's default. */
  values: Values;
  /** The role of CloudFormation; without it the stack keeps its own. */
  role?: string | undefined;
}

/** Returns undefined if nothing would change. */
export async function createChangeSet(stage: Stage, { stack, url, values, role }: Input) {
  const kept = stack?.parameters ?? {};
  const name = `${stage.stack}-${Date.now()}`;
  const Parameters = Object.entries(values).map(
    ([ParameterKey, ParameterValue]): Parameter =>
      kept[ParameterKey] === ParameterValue
        ? { ParameterKey, UsePreviousValue: true }
        : { ParameterKey, ParameterValue },
  );
  await connect("CloudFormation", stage.region).createChangeSet({
    StackName: stage.stack,
    ChangeSetName: name,
    ChangeSetType: stack ? "UPDATE" : "CREATE",
    TemplateURL: url,
    Parameters,
    Capabilities: ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
    ...(role && { RoleARN: role }),
    Tags: [
      { Key: "service", Value: "burgee" },
      { Key: "stage", Value: stage.name },
    ],
  });
  const changes = await waitForChanges(stage, name);
  if (changes.length === 0) {
    await deleteChangeSet(stage, name);
    return undefined;
  }
  const differing = Object.entries(values).filter(([key, value]) => stack && kept[key] !== value);
  const parameters = differing.map(([key, value]) => [key, `${kept[key] || '""'} → ${value || '""'}`]);
  return { name, changes, parameters: Object.fromEntries(parameters) } satisfies ChangeSet;
}

async function waitForChanges(stage: Stage, ChangeSetName: string): Promise<ResourceChange[]> {
  const client = connect("CloudFormation", stage.region);
  const changes: ResourceChange[] = [];
  let NextToken: string | undefined;
  for (;;) {
    const input = { StackName: stage.stack, ChangeSetName, ...(NextToken && { NextToken }) };
    const { Status, StatusReason = "", Changes = [], ...page } = await client.describeChangeSet(input);
    if (Status === "FAILED") {
      if (/didn't contain changes|No updates/.test(StatusReason)) return [];
      await deleteChangeSet(stage, ChangeSetName);
      throw new Refusal(`nothing was changed: CloudFormation refuses it: ${StatusReason}`);
    }
    if (Status !== "CREATE_COMPLETE") {
      await setTimeout(1000);
      continue;
    }
    changes.push(...Changes.map(({ ResourceChange }) => ResourceChange));
    NextToken = page.NextToken;
    if (!NextToken) return changes;
  }
}

/** In Markdown, as the summary of a pipeline takes it. */
export function toTable({ changes, parameters }: ChangeSet): string {
  const own = changes.filter((change) => !isConsequence(change));
  const rows = [
    ...Object.entries(parameters).map(([name, change]) => ["parameter", name, change]),
    ...own.map((change) => [actionOf(change), change.LogicalResourceId, describeChange(change)]),
    ["may follow", `${changes.length - own.length} more`, "as they refer to these"],
  ];
  return ["| | what | how |", "|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
}

/** Changes only if the resource that it refers to gets another name. */
const isConsequence = ({ Action, Details = [] }: ResourceChange) =>
  Action === "Modify" &&
  Details.every(
    ({ Evaluation, ChangeSource = "" }) => Evaluation === "Dynamic" && /^Resource/.test(ChangeSource),
  );

function describeChange({ ResourceType, Details = [] }: ResourceChange): string {
  const names = new Set(Details.flatMap(({ Target }) => Target?.Name ?? []));
  return names.size > 0 ? `${ResourceType}: ${[...names].join(", ")}` : ResourceType;
}

function actionOf({ Action, Replacement }: Pick<ResourceChange, "Action" | "Replacement">): string {
  if (Action !== "Modify") return Action === "Add" ? "added" : Action === "Remove" ? "**removed**" : Action;
  if (Replacement === "True") return "**replaced**";
  return Replacement === "Conditional" ? "changed, perhaps **replaced**" : "changed";
}

export async function deleteChangeSet({ stack, region }: Stage, ChangeSetName: string): Promise<void> {
  await connect("CloudFormation", region).deleteChangeSet({ StackName: stack, ChangeSetName });
}

/** CloudFormation goes on if the wait is interrupted, so Ctrl-C reports the state. */
export async function execute(stage: Stage, ChangeSetName: string): Promise<Stack> {
  const since = new Date();
  await connect("CloudFormation", stage.region).executeChangeSet({ StackName: stage.stack, ChangeSetName });
  const interruption = new AbortController();
  const isInterrupted = once(process, "SIGINT", { signal: interruption.signal }).then(
    () => "interrupted" as const,
  );
  isInterrupted.catch(() => {});
  const ended = await Promise.race([waitForExecution(stage, ChangeSetName), isInterrupted]);
  interruption.abort();
  if (ended === "interrupted") throw new Refusal(`it did not complete; ${await describeState(stage)}`);
  if (ended && /^(CREATE|UPDATE)_COMPLETE$/.test(ended.status)) return ended;
  await printFailures(stage, since);
  throw new Refusal(`it did not complete; ${describeStack(ended, stage)}`);
}

/** At first the stack has its old state still. */
async function waitForExecution(stage: Stage, ChangeSetName: string): Promise<Stack | undefined> {
  const client = connect("CloudFormation", stage.region);
  for (;;) {
    const input = { StackName: stage.stack, ChangeSetName };
    const { ExecutionStatus = "" } = await client.describeChangeSet(input);
    if (/^EXECUTE_(COMPLETE|FAILED)$/.test(ExecutionStatus)) return waitForStack(stage);
    await setTimeout(2000);
  }
}

async function printFailures({ stack, region }: Stage, since: Date): Promise<void> {
  const { StackEvents } = await connect("CloudFormation", region).describeStackEvents({ StackName: stack });
  for (const {
    Timestamp,
    LogicalResourceId,
    ResourceStatus,
    ResourceStatusReason,
  } of StackEvents.reverse()) {
    if (Timestamp < since || !/_FAILED$/.test(ResourceStatus)) continue;
    console.error(`burgee: ${ResourceStatus} ${LogicalResourceId}: ${ResourceStatusReason}`);
  }
}

async function describeState(stage: Stage): Promise<string> {
  return findStack(stage).then(
    (stack) => describeStack(stack, stage),
    (error) => `the state of ${stage.stack} is unknown: ${explainAwsError(error) ?? error}`,
  );
}
