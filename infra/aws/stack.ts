/** Reads a deployed stage from its stack, and waits for what changes it. */
import { setTimeout } from "node:timers/promises";
import { Refusal } from "../cli/refusal.ts";
import { connect, ifExists, type Parameter } from "./aws.ts";

/** Where a stage is. */
export interface Stage {
  name: string;
  region: string;
  stack: string;
}

export type Values = Readonly<Record<string, string>>;

export interface Stack {
  status: string;
  outputs: Values;
  parameters: Values;
}

export async function findStage(name: string, region?: string): Promise<Stage> {
  // The policies of a stage are for the names "burgee-<stage>-*", which must not be another stage's.
  if (!/^[a-z][a-z0-9]*$/.test(name)) {
    throw new Refusal(`the stage "${name}" needs a name of lower-case letters and digits only`);
  }
  const used = region ?? (await connect("CloudFormation").config.region());
  return { name, region: used, stack: `burgee-${name}` };
}

/** Returns undefined if there is no such stack, or one that waits for its first deployment. */
export async function findStack({ stack, region }: Stage): Promise<Stack | undefined> {
  const client = connect("CloudFormation", region);
  const found = await ifExists(client.describeStacks({ StackName: stack }));
  const { StackStatus: status, Outputs = [], Parameters } = found?.Stacks?.[0] ?? {};
  if (!status || status === "REVIEW_IN_PROGRESS") return undefined;
  const outputs = Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]);
  return { status, outputs: Object.fromEntries(outputs), parameters: toValues(Parameters) };
}

export const toValues = (parameters: readonly Parameter[] = []): Values =>
  Object.fromEntries(parameters.map(({ ParameterKey, ParameterValue }) => [ParameterKey, ParameterValue]));

export function requireStack(stack: Stack | undefined, stage: Stage): Stack {
  if (!stack) throw new Refusal(describeStack(stack, stage));
  return stack;
}

/** Refuses a stack that cannot be updated. CloudFormation would refuse it too, but after the build and the questions. */
export function requireUpdatable(stack: Stack | undefined, stage: Stage): void {
  if (stack && (isBusy(stack) || stuck.test(stack.status))) {
    throw new Refusal(describeStack(stack, stage));
  }
}

const stuck = /^(ROLLBACK_COMPLETE|(CREATE|DELETE|(UPDATE_)?ROLLBACK)_FAILED)$/;
const isBusy = ({ status }: Stack) => status.endsWith("_IN_PROGRESS");

/** Waits until a change of the stack has ended. CloudFormation goes on if the wait is interrupted. */
export const waitForStack = (stage: Stage): Promise<Stack | undefined> =>
  poll(
    () => findStack(stage),
    (stack) => !stack || !isBusy(stack),
  );

export async function poll<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
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
