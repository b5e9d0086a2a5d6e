/** Deploys a stage and tests it, or shows what a deployment would change. */
import { spawnSync } from "node:child_process";
import { confirmed } from "../cli/confirm.ts";
import { Refusal } from "../cli/refusal.ts";
import { connect } from "./aws.ts";
import { type ChangeSet, createChangeSet, deleteChangeSet, execute, toTable } from "./change-set.ts";
import { deleteArchives, describeDeployment, folderFor, templateUrl, upload } from "./deployments.ts";
import type { Packaged } from "./framework.ts";
import { remove } from "./removal.ts";
import { type Consent, confirmedOrDeleted, finishRollback, planRollback } from "./rollback.ts";
import type { Settings } from "./settings.ts";
import { smokeTest } from "./smoke-test.ts";
import { requireIdle, type Stack, type Stage, type Values } from "./stack.ts";

/** What is to be deployed. */
export interface Plan extends Stage {
  packaged: Packaged;
  settings: Settings;
  /** What infra/aws/bootstrap.yml made for the stage; undefined without it. */
  bootstrap: Stack | undefined;
  deployed: Stack | undefined;
}

/** The first creation did not finish: there is no table yet, and CloudFormation can only delete such a stack. */
const neverCreated = /^(CREATE_FAILED|ROLLBACK_COMPLETE|ROLLBACK_FAILED|REVIEW_IN_PROGRESS)$/;

export async function deploy(plan: Plan, consent: Consent): Promise<void> {
  const { deployed: found, packaged, bootstrap } = plan;
  const isBroken = found !== undefined && neverCreated.test(found.status);
  if (isBroken) await removeBroken(plan, found);
  const stack = found && !isBroken ? requireIdle(found, plan) : undefined;
  const { Archives: current } = stack?.parameters ?? {};
  const { Bucket: bucket = "" } = bootstrap?.outputs ?? {};
  if (!stack) await confirmed(`Create ${plan.stack} in ${plan.region}, with an empty table?`, consent);
  await deleteArchives(plan, bucket, current);
  const folder = folderFor(packaged, readCommit(), current);
  if (folder !== current) await upload(plan, bucket, folder, packaged);
  const input = { stack, url: templateUrl(plan, bucket, folder), values: valuesOf(plan, folder) };
  const changeSet = await createChangeSet(plan, { ...input, role: bootstrap?.outputs.Role });
  if (changeSet && stack) await approve(plan, changeSet, consent);
  else if (stack) console.error("burgee: there are no changes to deploy");
  const deployed = changeSet ? await execute(plan, changeSet.name) : stack;
  if (!deployed) throw new Refusal(`there is nothing to make ${plan.stack} of`);
  await protect(plan, deployed);
  await test(plan, deployed, stack, consent);
}

/** The parameters of a deployment. */
function valuesOf({ settings, bootstrap }: Plan, Archives: string): Values {
  const { Bucket = "", Boundary = "" } = bootstrap?.outputs ?? {};
  return { ...settings.values, Archives, Bucket, Boundary };
}

/** Prints what a deployment would change, and changes nothing. */
export async function preview(plan: Plan): Promise<void> {
  const { deployed: stack, packaged, bootstrap } = plan;
  if (!stack || neverCreated.test(stack.status))
    return console.log(`${plan.stack} is new: all of it is added.`);
  requireIdle(stack, plan);
  const { Bucket: bucket = "" } = bootstrap?.outputs ?? {};
  const folder = folderFor(packaged, readCommit(), stack.parameters.Archives);
  await upload(plan, bucket, "previews", { ...packaged, files: pick(packaged.files, "template.json") });
  const input = { stack, url: templateUrl(plan, bucket, "previews"), values: valuesOf(plan, folder) };
  const changeSet = await createChangeSet(plan, input);
  console.log(changeSet ? toTable(changeSet) : "There are no changes to deploy.");
  if (changeSet) await deleteChangeSet(plan, changeSet.name);
}

const pick = (files: Packaged["files"], name: string) =>
  Object.fromEntries(Object.entries(files).filter(([each]) => each === name));

/** Without a terminal only what takes a protection away needs --yes. */
async function approve(plan: Plan, changeSet: ChangeSet, { yes }: Consent): Promise<void> {
  const { takenAway } = plan.settings;
  console.error(toTable(changeSet));
  if (takenAway.length === 0 && !process.stdin.isTTY) return;
  const what = takenAway.length > 0 ? `, without the protection of ${takenAway.join(", ")}` : "";
  await confirmedOrDeleted(plan, changeSet, `Deploy this to ${plan.stack}${what}?`, { yes });
}

/** A stack under review may be another user's first deployment, which has only begun. */
async function removeBroken(stage: Stage, stack: Stack): Promise<void> {
  if (stack.status === "REVIEW_IN_PROGRESS") {
    const what = "another first deployment has just begun, or was interrupted";
    console.error(`burgee: ${stage.stack} is REVIEW_IN_PROGRESS: ${what}`);
    await confirmed("Remove it?", {}).catch(() => {
      throw new Refusal(
        `nothing was changed; if it was interrupted: npm run remove -- --stage ${stage.name}`,
      );
    });
  }
  await remove(stage, stack);
}

/** No update replaces or deletes the table; a removal of the stack is not an update. */
const stackPolicy = {
  Statement: [
    { Effect: "Allow", Principal: "*", Action: "Update:*", Resource: "*" },
    {
      Effect: "Deny",
      Principal: "*",
      Action: ["Update:Replace", "Update:Delete"],
      Resource: "LogicalResourceId/Table",
    },
  ],
};

/** Not by the template: a protected table would outlive a first deployment that fails. */
async function protect({ region, stack: StackName, packaged }: Plan, { outputs }: Stack): Promise<void> {
  const keeps = keepsTable(packaged);
  const cloudFormation = connect("CloudFormation", region);
  await cloudFormation.setStackPolicy({ StackName, StackPolicyBody: JSON.stringify(stackPolicy) });
  await cloudFormation.updateTerminationProtection({ StackName, EnableTerminationProtection: keeps });
  const { TableName = "" } = outputs;
  const database = connect("DynamoDB", region);
  const { Table } = await database.describeTable({ TableName });
  if ((Table.DeletionProtectionEnabled ?? false) !== keeps) {
    await database.updateTable({ TableName, DeletionProtectionEnabled: keeps });
  }
}

const keepsTable = ({ template }: Packaged) => template.Resources.Table?.DeletionPolicy !== "Delete";

/** Tests what was deployed; rolls it back if it fails, without a terminal or if that is confirmed. */
async function test(stage: Stage, deployed: Stack, before: Stack | undefined, { yes }: Consent) {
  const failure = await smokeTest(stage, deployed);
  if (failure === undefined) return;
  const isFailing = `the deployment was done, but does not work: ${failure}`;
  if (!before || before.parameters.Archives === deployed.parameters.Archives) {
    throw new Refusal(`${isFailing}\nFind the cause by the saved query "failures", deploy again`);
  }
  console.error(`burgee: ${isFailing}`);
  const { Archives: folder = "" } = before.parameters;
  const isUnattended = !process.stdin.isTTY || !process.stderr.isTTY;
  const question = `Roll back to ${describeDeployment(folder)}?`;
  await confirmed(question, { yes: yes || isUnattended }).catch(() => {
    throw new Refusal(`the deployment was kept; to roll it back: npm run rollback -- --stage ${stage.name}`);
  });
  const changeSet = await planRollback(stage, deployed, folder, before.parameters);
  if (changeSet) await finishRollback(stage, changeSet);
  throw new Refusal(`rolled back to ${describeDeployment(folder)}`);
}

/** "abc1234", or "abc1234-dirty" if files differ from it. */
function readCommit(): string {
  const { stdout } = spawnSync("git", ["describe", "--always", "--dirty", "--exclude=*"], {
    encoding: "utf8",
  });
  return stdout?.trim() || "unknown";
}
