/** Rolls a stage back to the deployment before, after its change set was shown. */
import { requireConfirmation } from "../cli/confirm.ts";
import { Refusal } from "../cli/refusal.ts";
import { connect, describeError } from "./aws.ts";
import { type ChangeSet, createChangeSet, execute, findChangeSet, toTable } from "./change-set.ts";
import { readArchived, templateUrl } from "./deployments.ts";
import { smokeTest } from "./smoke-test.ts";
import { findStack, type Stack, type Stage, type Values } from "./stack.ts";

export interface Consent {
  yes?: boolean | undefined;
}

/** On-call can execute the change set of this name, and make none, so a rollback has the settings as they are. */
const nameFor = ({ stack }: Stage) => `${stack}-rollback`;

/** Goes back to the code, the roles and the resources of the deployment before. Settings keep their values. */
export async function rollBack(stage: Stage, stack: Stack, consent: Consent): Promise<void> {
  const prepared = await findChangeSet(stage, stack, nameFor(stage));
  if (!prepared) console.error("burgee: no rollback is prepared; only a deployer can make one");
  const changeSet = prepared ?? (await prepare(stage, stack));
  if (!changeSet) {
    throw new Refusal("no deployment can be rolled back to: deploy the commit that you want instead");
  }
  console.error(toTable(changeSet));
  await requireConfirmation(`Roll ${stage.stack} back?`, consent);
  await finishRollback(stage, changeSet);
}

/** Leaves the change set of the next rollback behind. CloudFormation deletes it when it executes another one. */
export async function prepareRollback(stage: Stage): Promise<void> {
  try {
    const stack = await findStack(stage);
    if (stack) await prepare(stage, stack);
  } catch (error) {
    const reason = describeError(error) ?? (error as Error).message;
    console.error(`burgee: no rollback is prepared, so on-call has none: ${reason}`);
  }
}

/** Returns undefined if nothing served before, or if nothing would change. */
async function prepare(stage: Stage, stack: Stack): Promise<ChangeSet | undefined> {
  const { Archives: current = "", Bucket = "" } = stack.parameters;
  const { Before } = (await readArchived(stage, Bucket, current)).Metadata ?? {};
  if (Before === undefined) return undefined;
  const name = nameFor(stage);
  await connect("CloudFormation", stage.region).deleteChangeSet({
    StackName: stage.stack,
    ChangeSetName: name,
  });
  return planRollback(stage, stack, { ...stack.parameters, Archives: Before }, name);
}

/** Plans a rollback by the template that is stored beside those archives, without their sources and without a file of settings. */
export async function planRollback(stage: Stage, stack: Stack, parameters: Values, name?: string) {
  const { Archives = "", Bucket = "" } = parameters;
  const { Parameters } = await readArchived(stage, Bucket, Archives);
  const known = Object.entries(parameters).filter(([name]) => name in Parameters);
  const url = templateUrl(stage, Bucket, Archives);
  return createChangeSet(stage, { stack, url, values: Object.fromEntries(known), ...(name && { name }) });
}

export async function finishRollback(stage: Stage, changeSet: ChangeSet): Promise<void> {
  const failure = await smokeTest(stage, await execute(stage, changeSet));
  if (failure !== undefined) throw new Refusal(`rolled back, but it does not work either: ${failure}`);
}
