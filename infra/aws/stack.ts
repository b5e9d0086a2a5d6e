/** Reads a deployed stage from its stack: its state, its settings, and the deployments that can be rolled back to. */
import { setTimeout } from "node:timers/promises";
import { connect } from "./aws.ts";

/** Where a stage is. */
export interface Stage {
  name: string;
  region: string;
  stack: string;
}

export interface Stack {
  status: string;
  /** Whether CloudFormation refuses to delete it. */
  isProtected: boolean;
  outputs: Readonly<Record<string, string>>;
}

/** Returns undefined if there is no such stack. */
export async function findStack({ stack, region }: Stage): Promise<Stack | undefined> {
  try {
    const { Stacks } = await connect("CloudFormation", region).describeStacks({ StackName: stack });
    const [{ StackStatus: status, EnableTerminationProtection: isProtected = false, Outputs = [] }] = Stacks;
    const outputs = Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue] as const);
    return { status, isProtected, outputs: Object.fromEntries(outputs) };
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}

/** Under review it can be removed. */
export const isBusy = ({ status }: Stack) => /(?<!^REVIEW)_IN_PROGRESS$/.test(status);

/** After a call that changes the stack. CloudFormation goes on if the wait is interrupted. */
export async function waitForStack(stage: Stage): Promise<Stack | undefined> {
  for (;;) {
    const stack = await findStack(stage);
    if (!stack || !isBusy(stack)) return stack;
    await setTimeout(2000);
  }
}

/** "the stack burgee-prod is UPDATE_COMPLETE" */
export function describeStack(stack: Stack | undefined, { stack: name, region }: Stage): string {
  if (!stack) return `there is no stack ${name} in ${region}`;
  const is = `the stack ${name} is ${stack.status}`;
  if (/^(CREATE|UPDATE)_COMPLETE$/.test(stack.status)) return is;
  return `${is}; "A failed deployment" in docs/RUNBOOK.md says what that means`;
}

/** Whether the table is protected against deletion. */
export async function isTableProtected(region: string, TableName: string): Promise<boolean> {
  const { Table } = await connect("DynamoDB", region).describeTable({ TableName });
  return Table.DeletionProtectionEnabled ?? false;
}

export async function setProtection(region: string, TableName: string, to: boolean): Promise<void> {
  if ((await isTableProtected(region, TableName)) === to) return;
  await connect("DynamoDB", region).updateTable({ TableName, DeletionProtectionEnabled: to });
}
