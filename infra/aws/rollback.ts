/** Rolls a stage back to the deployment before, after its change set was shown. */
import { confirmed } from "../cli/confirm.ts";
import { Refusal } from "../cli/refusal.ts";
import { type ChangeSet, createChangeSet, execute, toTable } from "./change-set.ts";
import { readArchived, templateUrl } from "./deployments.ts";
import { smokeTest } from "./smoke-test.ts";
import type { Stack, Stage, Values } from "./stack.ts";

export interface Consent {
  yes?: boolean | undefined;
}

/** Goes back to the code, the roles and the resources of the deployment before. Settings keep their values. */
export async function rollBack(stage: Stage, stack: Stack, consent: Consent): Promise<void> {
  const { Archives: current = "", Bucket = "" } = stack.parameters;
  const { Before: previousFolder } = (await readArchived(stage, Bucket, current)).Metadata ?? {};
  if (previousFolder === undefined) {
    throw new Refusal("no deployment can be rolled back to: deploy the commit that you want instead");
  }
  console.error(`burgee: now     ${current}\nburgee: before  ${previousFolder}`);
  const changeSet = await planRollback(stage, stack, { ...stack.parameters, Archives: previousFolder });
  if (!changeSet) throw new Refusal("nothing would change");
  console.error(toTable(changeSet));
  await confirmed(`Roll ${stage.stack} back?`, consent);
  await finishRollback(stage, changeSet);
}

/** Uses the template beside those archives: needs neither its sources nor a file of settings. */
export async function planRollback(stage: Stage, stack: Stack, parameters: Values) {
  const { Archives = "", Bucket = "" } = parameters;
  const { Parameters } = await readArchived(stage, Bucket, Archives);
  const known = Object.entries(parameters).filter(([name]) => name in Parameters);
  const url = templateUrl(stage, Bucket, Archives);
  return createChangeSet(stage, { stack, url, values: Object.fromEntries(known) });
}

export async function finishRollback(stage: Stage, changeSet: ChangeSet): Promise<void> {
  const failure = await smokeTest(stage, await execute(stage, changeSet));
  if (failure !== undefined) throw new Refusal(`rolled back, but it does not work either: ${failure}`);
}
