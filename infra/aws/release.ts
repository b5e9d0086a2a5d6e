/** Deploys a stage and tests it, rolls it back, or removes it. */
import { spawnSync } from "node:child_process";
import { confirmed } from "../cli/confirm.ts";
import { Refusal } from "../cli/refusal.ts";
import { connect, explainAwsError } from "./aws.ts";
import {
  bucketOf,
  type Deployment,
  deleteArchives,
  describeDeployment,
  readDeployments,
  templateUrl,
} from "./deployments.ts";
import { runFramework } from "./framework.ts";
import type { Plan } from "./plan.ts";
import { smokeTest } from "./smoke-test.ts";
import {
  describeStack,
  findStack,
  isBusy,
  type Stack,
  type Stage,
  setProtection,
  waitForStack,
} from "./stack.ts";

export interface Consent {
  yes?: boolean;
}

/** The first creation did not finish: there is no table yet, and CloudFormation can only delete such a stack. */
const neverCreated = /^(CREATE_FAILED|ROLLBACK_COMPLETE|ROLLBACK_FAILED|REVIEW_IN_PROGRESS)$/;

export async function deploy(plan: Plan, consent: Consent): Promise<void> {
  const { deployed: found, bootstrap } = plan;
  const isBroken = found !== undefined && neverCreated.test(found.status);
  if (isBroken) await removeBroken(plan, found);
  const stack = found && !isBroken ? requireIdle(found, plan) : undefined;
  const current = stack && (await readDeployments(plan, stack)).current;
  // Without the archives of deployments that failed or were rolled back, the framework compares new archives with what
  // is deployed, and a rollback ends at a deployment that has served.
  const bucket = stack ? bucketOf(stack.outputs) : bootstrap.Bucket;
  if (bucket) await deleteArchives(plan, bucket, current?.folder);
  const code = await runFramework("deploy", plan, [
    `--param=commit=${readCommit()}`,
    ...tablesOf(plan, stack),
  ]);
  if (code !== 0) throw new Refusal(`deploy did not complete; ${await describeState(plan)}`);
  const deployed = await requireStack(plan);
  await test(plan, deployed, current, consent);
  await protectTables(plan, deployed);
}

/** CloudFormation may continue after the framework has ended. */
async function describeState(stage: Stage): Promise<string> {
  return findStack(stage).then(
    (stack) => describeStack(stack, stage),
    (error) => `the state of ${stage.stack} is unknown: ${explainAwsError(error) ?? error}`,
  );
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

/** Not by the template, as a protected table would outlive a first deployment that fails. */
async function protectTables({ region, settings: { keepTable } }: Plan, { outputs }: Stack): Promise<void> {
  const { OwnTable: own = "", TableName: used = own } = outputs;
  for (const TableName of keepTable ? new Set([own, used]) : [own]) {
    await setProtection(region, TableName, keepTable);
  }
}

/** In the deployment that changes the table, code that still runs uses the old one. */
function tablesOf({ settings: { table } }: Plan, stack: Stack | undefined): string[] {
  const { TableName: used, OwnTable: own } = stack?.outputs ?? {};
  const next = typeof table === "string" ? table : own;
  return used === undefined || used === next ? [] : ["--param=tables=both", `--param=oldTable=${used}`];
}

/** Tests what was deployed; rolls it back if it fails, without a terminal or if that is confirmed. */
async function test(
  stage: Stage,
  deployed: Stack,
  before: Deployment | undefined,
  { yes }: Consent,
): Promise<void> {
  const failure = await smokeTest(stage, deployed);
  if (failure === undefined) return;
  const isFailing = `the deployment was done, but does not work: ${failure}`;
  if (!before) {
    throw new Refusal(`${isFailing}\nFind the cause by the saved query "failures", deploy again`);
  }
  console.error(`burgee: ${isFailing}`);
  const isUnattended = !process.stdin.isTTY || !process.stderr.isTTY;
  await confirmed(`Roll back to ${describeDeployment(before)}?`, { yes: yes || isUnattended }).catch(() => {
    throw new Refusal(`the deployment was kept; to roll it back: npm run rollback -- --stage ${stage.name}`);
  });
  await rollBack(stage, deployed, before);
  throw new Refusal(`rolled back to ${describeDeployment(before)}`);
}

/** By the template in the bucket, so that it needs neither sources nor settings. */
export async function rollBack(stage: Stage, stack: Stack, to: Deployment): Promise<void> {
  await connect("CloudFormation", stage.region).updateStack({
    StackName: stage.stack,
    TemplateURL: templateUrl(stage, stack, to),
    Capabilities: ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
  });
  const ended = await waitForStack(stage);
  if (ended?.status !== "UPDATE_COMPLETE") {
    throw new Refusal(`the rollback did not complete; ${describeStack(ended, stage)}`);
  }
  const failure = await smokeTest(stage, ended);
  if (failure !== undefined) throw new Refusal(`rolled back, but it does not work either: ${failure}`);
}

export async function remove(stage: Stage, stack: Stack): Promise<void> {
  if (stack.isProtected) {
    const command = `aws cloudformation update-termination-protection --stack-name ${stage.stack}`;
    throw new Refusal(`${stage.stack} is protected: ${command} --no-enable-termination-protection`);
  }
  // CloudFormation deletes only an empty bucket. One of infra/aws/bootstrap.yml remains.
  const bucket = bucketOf(stack.outputs);
  if (bucket) await deleteArchives(stage, bucket);
  await connect("CloudFormation", stage.region).deleteStack({ StackName: stage.stack });
  const left = await waitForStack(stage);
  if (left) throw new Refusal(`the removal did not complete; ${describeStack(left, stage)}`);
}

export async function requireStack(stage: Stage): Promise<Stack> {
  return requireIdle(await findStack(stage), stage);
}

/** CloudFormation would refuse too, but only once archives are gone that the running update needs. */
function requireIdle(stack: Stack | undefined, stage: Stage): Stack {
  if (!stack || isBusy(stack)) throw new Refusal(describeStack(stack, stage));
  return stack;
}

/** "abc1234", or "abc1234-dirty" if files differ from it. */
function readCommit(): string {
  const { stdout } = spawnSync("git", ["describe", "--always", "--dirty", "--exclude=*"], {
    encoding: "utf8",
  });
  return stdout?.trim() || "unknown";
}
