/** Reads a deployed stage from its stack, and waits for what changes it. */
import { setTimeout } from "node:timers/promises";
import { Refusal } from "../cli/refusal.ts";
import { connect, readRegion } from "./aws.ts";

/** Where a stage is. */
export interface Stage {
  name: string;
  region: string;
  stack: string;
}

export type Values = Readonly<Record<string, string>>;

export interface Stack {
  status: string;
  /** Whether CloudFormation refuses to delete it. */
  isProtected: boolean;
  outputs: Values;
  parameters: Values;
}

export async function findStage(name: string, region?: string): Promise<Stage> {
  // The policies of a stage are for the names "burgee-<stage>-*", which must not be another stage's.
  if (!/^[a-z][a-z0-9]*$/.test(name)) {
    throw new Refusal(`the stage "${name}" needs a name of lower-case letters and digits only`);
  }
  return { name, region: region ?? (await readRegion()), stack: `burgee-${name}` };
}

/** Returns undefined if there is no such stack. */
export async function findStack({ stack, region }: Stage): Promise<Stack | undefined> {
  try {
    const { Stacks } = await connect("CloudFormation", region).describeStacks({ StackName: stack });
    const [{ StackStatus, EnableTerminationProtection: isProtected = false, Outputs = [], Parameters = [] }] =
      Stacks;
    const outputs = Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]);
    const parameters = Parameters.map(({ ParameterKey, ParameterValue }) => [ParameterKey, ParameterValue]);
    return {
      status: StackStatus,
      isProtected,
      outputs: Object.fromEntries(outputs),
      parameters: Object.fromEntries(parameters),
    };
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}

/** Under review it can be removed. */
const isBusy = ({ status }: Stack) => /(?<!^REVIEW)_IN_PROGRESS$/.test(status);

/** After a call that changes the stack. CloudFormation goes on if the wait is interrupted. */
export async function waitForStack(stage: Stage): Promise<Stack | undefined> {
  for (;;) {
    const stack = await findStack(stage);
    if (!stack || !isBusy(stack)) return stack;
    await setTimeout(2000);
  }
}

/** Before something changes it. CloudFormation would refuse too, but in less plain words. */
export function requireIdle(stack: Stack | undefined, stage: Stage): Stack {
  if (!stack || isBusy(stack)) throw new Refusal(describeStack(stack, stage));
  return stack;
}

/** Before it is updated. */
export function requireUpdatable(stack: Stack | undefined, stage: Stage): Stack {
  const idle = requireIdle(stack, stage);
  if (idle.status !== "DELETE_FAILED") return idle;
  const advice = `fix what its events name, then npm run remove -- --stage ${stage.name}`;
  throw new Refusal(`the stack ${stage.stack} is DELETE_FAILED, and can only be removed: ${advice}`);
}

/** "the stack burgee-prod is UPDATE_COMPLETE" */
export function describeStack(stack: Stack | undefined, { stack: name, region }: Stage): string {
  if (!stack) return `there is no stack ${name} in ${region}`;
  const is = `the stack ${name} is ${stack.status}`;
  if (/^(CREATE|UPDATE)_COMPLETE$/.test(stack.status)) return is;
  return `${is}; "A failed deployment" in docs/RUNBOOK.md says what that means`;
}
