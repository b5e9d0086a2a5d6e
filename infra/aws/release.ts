/** Deploys a stage and tests it, or shows what a deployment would change. */
import { isTerminal, requireConfirmation } from "../cli/confirm.ts";
import { Refusal } from "../cli/refusal.ts";
import { connect, describeError } from "./aws.ts";
import { type ChangeSet, createChangeSet, differingNames, execute, toTable } from "./change-set.ts";
import { folderFor, templateUrl, upload } from "./deployments.ts";
import type { Packaged } from "./framework.ts";
import { type Consent, finishRollback, planRollback, prepareRollback } from "./rollback.ts";
import type { StageSettings } from "./settings.ts";
import { smokeTest } from "./smoke-test.ts";
import { requireStack, type Stack, type Stage } from "./stack.ts";

/** What is to be deployed. */
export interface ReleasePlan extends Stage {
  packaged: Packaged;
  settings: StageSettings;
  /** What infra/aws/bootstrap.yml made for the stage; undefined without it. */
  bootstrap: Stack | undefined;
  /** Undefined for a first deployment. */
  before: Stack | undefined;
}

export interface Watch {
  /** For how many minutes an alarm can roll the deployment back. */
  watch?: number | undefined;
}

export async function deploy(plan: ReleasePlan, consent: Consent & Watch): Promise<void> {
  const { before } = plan;
  if (!before)
    await requireConfirmation(`Create ${plan.stack} in ${plan.region}, with an empty table?`, consent);
  const changeSet = await proposeChanges(plan, consent);
  if (before) await approve(plan, changeSet, consent);
  try {
    const after = changeSet ? await execute(plan, changeSet) : requireStack(before, plan);
    const failure = await testDeployment(plan, after, consent).catch((error: Error) => error);
    await protect(plan, after).catch((error: Error) => {
      if (!failure) throw error;
      console.error(`burgee: the stage is not protected: ${describeError(error) ?? error}`);
    });
    // The error says what is deployed now.
    if (failure) throw failure;
  } finally {
    await prepareRollback(plan);
  }
}

/** Prints what a deployment would change, and changes nothing that is deployed. */
export async function preview(plan: ReleasePlan): Promise<void> {
  if (!plan.before) return console.log(`${plan.stack} is new: all of it is added.`);
  console.log(describeChanges(plan, await proposeChanges(plan, { isPreview: true })));
}

/** Without a change to a resource CloudFormation does not keep the values of parameters. */
function describeChanges({ settings, before }: ReleasePlan, changeSet: ChangeSet | undefined): string {
  if (changeSet) return toTable(changeSet);
  const { parameters = {} } = before ?? {};
  const lost = differingNames(parameters, { ...parameters, ...settings.values });
  const advice = lost.length > 0 ? ` The stage does not keep ${lost.join(", ")}: no resource changes.` : "";
  return `There are no changes to deploy.${advice}`;
}

/** Uploads the package and creates a change set. A preview uploads only the template. */
async function proposeChanges(
  plan: ReleasePlan,
  { isPreview = false, watch }: Watch & { isPreview?: boolean },
) {
  const { packaged, bootstrap, settings, before } = plan;
  const watched = watch === undefined ? undefined : { Arn: requireAlarm(plan), minutes: watch };
  const { Archives: current } = before?.parameters ?? {};
  const { Bucket = "", Boundary = "", Role } = bootstrap?.outputs ?? {};
  const Archives = folderFor(packaged, current);
  const folder = isPreview ? `previews/${packaged.digest}` : Archives;
  const stored = isPreview ? { ...packaged, archives: {} } : packaged;
  if (folder !== current) await upload(plan, { Bucket, folder, before: current }, stored);
  return createChangeSet(plan, {
    stack: before,
    url: templateUrl(plan, Bucket, folder),
    values: { ...settings.values, Archives, Bucket, Boundary },
    // A previewer passes no role.
    role: isPreview ? undefined : Role,
    watch: watched,
    ...(isPreview && { name: `${plan.stack}-preview-${Date.now()}` }),
  });
}

/** CloudFormation rolls a change back whose alarm does not exist. */
function requireAlarm({ before, settings, stack }: ReleasePlan): string {
  const { WatchedAlarm } = before?.outputs ?? {};
  if (WatchedAlarm && settings.values.Monitoring === "true") return WatchedAlarm;
  throw new Refusal(`${stack} has no alarm to --watch: it needs an earlier deployment with Monitoring`);
}

/** Without a terminal, an update needs --yes only if it removes a protection or a setting. */
async function approve(plan: ReleasePlan, changeSet: ChangeSet | undefined, { yes }: Consent): Promise<void> {
  const { takenAway } = plan.settings;
  console.error(describeChanges(plan, changeSet));
  if (takenAway.length === 0 && !(changeSet && isTerminal())) return;
  const what = takenAway.length > 0 ? `, without ${takenAway.join(", ")}` : "";
  await requireConfirmation(`Deploy this to ${plan.stack}${what}?`, { yes });
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

/** Protects the stack and its table. If the template did, a failed first deployment could not delete its table. */
async function protect(plan: ReleasePlan, { outputs }: Stack): Promise<void> {
  const { region, stack: StackName, packaged } = plan;
  const keeps = packaged.template.Resources.Table?.DeletionPolicy !== "Delete";
  const cloudFormation = connect("CloudFormation", region);
  await cloudFormation.setStackPolicy({ StackName, StackPolicyBody: JSON.stringify(stackPolicy) });
  await cloudFormation.updateTerminationProtection({ StackName, EnableTerminationProtection: keeps });
  const { TableName = "" } = outputs;
  const database = connect("DynamoDB", region);
  const { Table } = await database.describeTable({ TableName });
  if ((Table?.DeletionProtectionEnabled ?? false) !== keeps) {
    await database.updateTable({ TableName, DeletionProtectionEnabled: keeps });
  }
}

/**
 * If the test fails, offers to roll back, settings included; without a terminal, or with --yes, it rolls back without
 * asking. A first deployment is left as it is.
 */
async function testDeployment(plan: ReleasePlan, after: Stack, { yes }: Consent): Promise<void> {
  const failure = await smokeTest(plan, after);
  if (failure === undefined) return;
  console.error(`burgee: the deployment was done, but does not work: ${failure}`);
  const { before } = plan;
  const changeSet = before && (await planRollback(plan, after, before.parameters));
  if (!changeSet) throw new Refusal('find the cause by the saved query "failures", deploy again');
  const { Archives: folder } = before.parameters;
  const question = `Roll back to ${folder}, with the former settings?`;
  await requireConfirmation(question, { yes: yes || !isTerminal() }).catch(() => {
    const advice = `npm run rollback -- --stage ${plan.name}, or deploy the former settings`;
    throw new Refusal(`the deployment was kept; to roll it back: ${advice}`);
  });
  await finishRollback(plan, changeSet);
  throw new Refusal(`rolled back to ${folder}`);
}
