/** Rolls a stage back to the deployment before, after its change set was shown. */
import { confirmed } from "../cli/confirm.ts";
import { Refusal } from "../cli/refusal.ts";
import { type ChangeSet, createChangeSet, execute, toTable } from "./change-set.ts";
import { describeDeployment, readArchived, templateUrl } from "./deployments.ts";
import { smokeTest } from "./smoke-test.ts";
import type { Stack, Stage, Values } from "./stack.ts";

export interface Consent {
  yes?: boolean | undefined;
}

/** Goes back to the code, the roles and the resources of the deployment before. Settings keep their values. */
export async function rollBack(stage: Stage, stack: Stack, consent: Consent): Promise<void> {
  const { Archives: current = "", Bucket: bucket = "" } = stack.parameters;
  const { Before: before } = (await readArchived(stage, bucket, current)).Metadata ?? {};
  if (before === undefined) {
    throw new Refusal("no deployment can be rolled back to: deploy the commit that you want instead");
  }
  console.error(`burgee: now     ${describeDeployment(current)}`);
  console.error(`burgee: before  ${describeDeployment(before)}`);
  const changeSet = await planRollback(stage, stack, before, stack.parameters);
  if (!changeSet) throw new Refusal("nothing would change");
  console.error(toTable(changeSet));
  await confirmed(`Roll ${stage.stack} back?`, consent);
  await finishRollback(stage, changeSet);
}

/** Uses that deployment's template in the bucket: needs neither its sources nor a file of settings. */
export async function planRollback(stage: Stage, stack: Stack, folder: string, parameters: Values) {
  const { Bucket: bucket = "" } = stack.parameters;
  const { Parameters } = await readArchived(stage, bucket, folder);
  const known = Object.entries({ ...parameters, Archives: folder }).filter(([name]) => name in Parameters);
  const url = templateUrl(stage, bucket, folder);
  return createChangeSet(stage, { stack, url, values: Object.fromEntries(known) });
}

export async function finishRollback(stage: Stage, { name }: ChangeSet): Promise<void> {
  const failure = await smokeTest(stage, await execute(stage, name));
  if (failure !== undefined) throw new Refusal(`rolled back, but it does not work either: ${failure}`);
}
