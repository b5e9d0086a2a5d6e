/** Creates the change set of a deployment or a rollback, prints it as a table, and executes it. */
import { setTimeout } from "node:timers/promises";
import { Refusal } from "../cli/refusal.ts";
import { connect, type ResourceChange, type StackEvent } from "./aws.ts";
import { describeStack, type Stack, type Stage, type Values, waitForStack } from "./stack.ts";

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
  const Parameters = Object.entries(values).map(([ParameterKey, ParameterValue]) => ({
    ParameterKey,
    ParameterValue,
  }));
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
  return { name, changes, parameters: stack ? compare(kept, values) : {} } satisfies ChangeSet;
}

function compare(kept: Values, values: Values): Values {
  const differing = Object.keys({ ...kept, ...values }).filter(
    (key) => (kept[key] ?? "") !== (values[key] ?? ""),
  );
  const shown = (value?: string) => value || (value === undefined ? "**removed**" : '""');
  return Object.fromEntries(differing.map((key) => [key, `${kept[key] || '""'} → ${shown(values[key])}`]));
}

async function waitForChanges(stage: Stage, ChangeSetName: string): Promise<ResourceChange[]> {
  const changes: ResourceChange[] = [];
  let page: { NextToken?: string | undefined } = {};
  for (;;) {
    const input = { StackName: stage.stack, ChangeSetName, ...page };
    const described = await connect("CloudFormation", stage.region).describeChangeSet(input);
    const { Status, StatusReason = "", Changes = [], NextToken } = described;
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
    if (!NextToken) return changes;
    page = { NextToken };
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

/** Whether the resource changes only if one that it refers to gets another name. */
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

/** CloudFormation goes on if the wait is interrupted. */
export async function execute(stage: Stage, ChangeSetName: string): Promise<Stack> {
  const [last] = await readEvents(stage);
  await connect("CloudFormation", stage.region).executeChangeSet({ StackName: stage.stack, ChangeSetName });
  const ended = await waitForExecution(stage, ChangeSetName);
  if (ended && /^(CREATE|UPDATE)_COMPLETE$/.test(ended.status)) return ended;
  await printFailures(stage, last?.Timestamp);
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

/** Newest first. */
async function readEvents({ stack, region }: Stage): Promise<StackEvent[]> {
  const { StackEvents } = await connect("CloudFormation", region).describeStackEvents({ StackName: stack });
  return StackEvents;
}

/** By AWS's clock, as this machine's may be wrong. */
async function printFailures(stage: Stage, since = new Date(0)): Promise<void> {
  for (const event of (await readEvents(stage)).reverse()) {
    if (event.Timestamp <= since || !/_FAILED$/.test(event.ResourceStatus)) continue;
    const { ResourceStatus: status, LogicalResourceId: resource, ResourceStatusReason: reason } = event;
    console.error(`burgee: ${status} ${resource}: ${reason}`);
  }
}
