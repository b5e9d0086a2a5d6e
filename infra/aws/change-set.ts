/** Creates the change set of a deployment or a rollback, prints it as a table, and executes it. */
import type { ResourceChange } from "@aws-sdk/client-cloudformation";
import { Refusal } from "../cli/refusal.ts";
import { connect, ifExists } from "./aws.ts";
import {
  describeStack,
  findStack,
  poll,
  type Stack,
  type Stage,
  toValues,
  type Values,
  waitForStack,
} from "./stack.ts";

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
  name?: string;
  /** The alarm by which CloudFormation goes back by itself, and for how many minutes after the change. */
  watch?: { Arn: string; minutes: number } | undefined;
}

/** Returns undefined if nothing would change. When CloudFormation executes a change set, it deletes the others. */
export async function createChangeSet(
  stage: Stage,
  { stack, url, values, role, name = `${stage.stack}-${Date.now()}`, watch }: Input,
): Promise<ChangeSet | undefined> {
  const client = connect("CloudFormation", stage.region);
  const ids = { StackName: stage.stack, ChangeSetName: name };
  await client.createChangeSet({
    ...ids,
    ChangeSetType: stack ? "UPDATE" : "CREATE",
    TemplateURL: url,
    Parameters: Object.entries(values).map(([ParameterKey, ParameterValue]) => ({
      ParameterKey,
      ParameterValue,
    })),
    Capabilities: ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
    ...(role && { RoleARN: role }),
    // Without this member the stack would keep the alarm of its last change.
    RollbackConfiguration: {
      RollbackTriggers: watch ? [{ Arn: watch.Arn, Type: "AWS::CloudWatch::Alarm" }] : [],
      MonitoringTimeInMinutes: watch?.minutes ?? 0,
    },
    Tags: [
      { Key: "service", Value: "burgee" },
      { Key: "stage", Value: stage.name },
    ],
  });
  const { Status, StatusReason = "" } = await poll(
    () => client.describeChangeSet(ids),
    (described) => /^(CREATE_COMPLETE|FAILED)$/.test(described.Status ?? ""),
  );
  if (Status === "FAILED") {
    if (/didn't contain changes|No updates/.test(StatusReason)) return undefined;
    throw new Refusal(`nothing was changed: CloudFormation refuses it: ${StatusReason}`);
  }
  // There are none if only outputs change.
  const changes = await readChanges(stage, name);
  if (!stack) return { name, changes, parameters: {} };
  // The change set would take back what another deployment has changed since the stack was read. If another one is executed
  // from now on, this change set is deleted.
  const { parameters = {} } = (await findStack(stage)) ?? {};
  if (differingNames(stack.parameters, parameters).length > 0) throw overtaken(stage);
  return { name, changes, parameters: describeDifferences(stack.parameters, values) };
}

function overtaken({ stack }: Stage): Refusal {
  const what = `another deployment has changed ${stack} since this one began`;
  return new Refusal(`nothing was changed: ${what}; run the command again`);
}

/** Returns undefined if there is no change set of this name, or if the stack has changed since it was made. */
export async function findChangeSet(
  stage: Stage,
  { parameters: current }: Stack,
  name: string,
): Promise<ChangeSet | undefined> {
  const client = connect("CloudFormation", stage.region);
  const ids = { StackName: stage.stack, ChangeSetName: name };
  const described = await ifExists(client.describeChangeSet(ids));
  if (described?.ExecutionStatus !== "AVAILABLE") return undefined;
  const values = toValues(described.Parameters);
  const parameters = describeDifferences(current, values);
  return { name, changes: await readChanges(stage, name), parameters };
}

async function readChanges({ stack, region }: Stage, ChangeSetName: string): Promise<ResourceChange[]> {
  const pages = connect("CloudFormation", region).paginateDescribeChangeSet({
    StackName: stack,
    ChangeSetName,
  });
  const changes: ResourceChange[] = [];
  for await (const { Changes = [] } of pages) {
    changes.push(...Changes.flatMap(({ ResourceChange }) => ResourceChange ?? []));
  }
  return changes;
}

/** Describes each parameter that changes, by its name: "50 → 7". */
function describeDifferences(current: Values, wanted: Values): Values {
  const shown = (value?: string) => value || (value === undefined ? "**removed**" : '""');
  return Object.fromEntries(
    differingNames(current, wanted).map((name) => [
      name,
      `${current[name] || '""'} → ${shown(wanted[name])}`,
    ]),
  );
}

/** An empty parameter and one that is missing count as the same. */
export function differingNames(one: Values, other: Values): string[] {
  return Object.keys({ ...one, ...other }).filter((name) => (one[name] ?? "") !== (other[name] ?? ""));
}

/** Formats the change set as a table of Markdown, for the summary of a pipeline. */
export function toTable({ changes, parameters }: ChangeSet): string {
  const own = changes.filter((change) => !isConsequence(change));
  const more = changes.length - own.length;
  const rows = [
    ...Object.entries(parameters).map(([name, change]) => ["parameter", name, change]),
    ...own.map((change) => [actionOf(change), change.LogicalResourceId, describeChange(change)]),
    ...(more > 0 ? [["may follow", `${more} more`, "as they refer to these"]] : []),
  ];
  return ["| | what | how |", "|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
}

/** Whether the resource changes only if one that it refers to gets another name. */
const isConsequence = ({ Action, Details = [] }: ResourceChange) =>
  Action === "Modify" &&
  Details.every(
    ({ Evaluation, ChangeSource = "" }) => Evaluation === "Dynamic" && /^Resource/.test(ChangeSource),
  );

function describeChange({ ResourceType = "", Details = [] }: ResourceChange): string {
  const names = new Set(Details.flatMap(({ Target }) => Target?.Name ?? []));
  return names.size > 0 ? `${ResourceType}: ${[...names].join(", ")}` : ResourceType;
}

function actionOf({ Action, Replacement }: ResourceChange): string {
  if (Action !== "Modify") return Action === "Add" ? "added" : "**removed**";
  if (Replacement === "True") return "**replaced**";
  return Replacement === "Conditional" ? "changed, perhaps **replaced**" : "changed";
}

export async function execute(stage: Stage, { name }: ChangeSet): Promise<Stack> {
  const client = connect("CloudFormation", stage.region);
  const ids = { StackName: stage.stack, ChangeSetName: name };
  // The events of this execution have its token.
  const token = `${name}-${Date.now()}`;
  const executed = await ifExists(client.executeChangeSet({ ...ids, ClientRequestToken: token }));
  if (!executed) throw overtaken(stage);
  console.error(`burgee: CloudFormation is changing ${stage.stack}, and goes on if this command ends early`);
  // For a moment the stack still has its old state.
  await poll(
    () => client.describeChangeSet(ids),
    ({ ExecutionStatus = "" }) => /^EXECUTE_(COMPLETE|FAILED)$/.test(ExecutionStatus),
  );
  const ended = await waitForStack(stage);
  if (ended && /^(CREATE|UPDATE)_COMPLETE$/.test(ended.status)) return ended;
  for (const line of await readFailures(stage, token)) console.error(`burgee: ${line}`);
  throw new Refusal(`it did not complete; ${describeStack(ended, stage)}`);
}

/** Returns the cause first, and the reason for rolling everything back last. */
async function readFailures({ stack, region }: Stage, token: string): Promise<string[]> {
  const lines: string[] = [];
  const pages = connect("CloudFormation", region).paginateDescribeStackEvents({ StackName: stack });
  for await (const { StackEvents = [] } of pages) {
    for (const event of StackEvents) {
      const { ResourceStatus = "", LogicalResourceId, ResourceStatusReason } = event;
      if (event.ClientRequestToken !== token || !/(_FAILED|ROLLBACK_IN_PROGRESS)$/.test(ResourceStatus))
        continue;
      lines.unshift(`${ResourceStatus} ${LogicalResourceId}: ${ResourceStatusReason}`);
    }
  }
  return lines;
}
