/** Deploys a stage and tests it, or rolls it back. */
import { spawnSync } from "node:child_process";
import { confirmed } from "../admin/terminal/confirm.ts";
import { Refusal } from "../refusal.ts";
import { advise, neverCreated } from "./advice.ts";
import { Interruption, runFramework } from "./framework.ts";
import type { Options } from "./options.ts";
import type { Stage } from "./settings.ts";
import { smokeTest } from "./smoke-test.ts";
import {
  type Deployment,
  describeDeployment,
  describeStack,
  forgetFailed,
  forgetOthers,
  readDeployments,
  type Stack,
} from "./stack.ts";

export async function deploy(stage: Stage, found: Stack | undefined, options: Options): Promise<void> {
  let stack = found;
  if (stack && neverCreated.includes(stack.status)) {
    // It has no table yet, and CloudFormation can only delete it.
    await change("remove", stage);
    stack = undefined;
  }
  if (stack) {
    requireReady(stage, stack);
    await forgetFailed(stage, stack);
  }
  const { current } = stack ? await readDeployments(stage, stack) : {};
  const parameters = [`commit=${readCommit()}`];
  const protectsLater = !current && stage.settings.keepTable;
  await change("deploy", stage, [
    ...parameters,
    ...(protectsLater ? ["keepTable=false"] : []),
    ...tablesOf(stage, stack),
  ]);
  await test(stage, current, options);
  if (!protectsLater) return;
  await change("deploy", stage, parameters);
  // The first of the two must not be rolled back to, as its table is not protected.
  await forgetOthers(stage, await requireStack(stage));
}

/** In the deployment that changes the table, code that still runs uses the old one. */
function tablesOf({ settings: { table } }: Stage, stack: Stack | undefined): string[] {
  const { TableName: used, OwnTable: own } = stack?.outputs ?? {};
  const next = typeof table === "string" ? table : own;
  return used === undefined || used === next ? [] : ["tables=both", `oldTable=${used}`];
}

/** Tests what was deployed; rolls it back if it fails, without a terminal or if that is confirmed. */
async function test(stage: Stage, before: Deployment | undefined, { yes }: Options): Promise<void> {
  const failure = await smokeTest(await requireStack(stage));
  if (failure === undefined) return;
  const isFailing = `the deployment was done, but does not work: ${failure}`;
  const { current } = await readDeployments(stage, await requireStack(stage));
  if (!before || current?.folder === before.folder) {
    throw new Refusal(
      `${isFailing}\nFind the cause by the saved query "failures" (infra/RUNBOOK.md), deploy again`,
    );
  }
  console.error(`burgee: ${isFailing}`);
  const isUnattended = !process.stdin.isTTY || !process.stderr.isTTY;
  await confirmed(`Roll back to ${describeDeployment(before)}?`, { yes: yes || isUnattended });
  await rollBack(stage, before);
  throw new Refusal(`rolled back to ${describeDeployment(before)}`);
}

export async function rollBack(stage: Stage, { folder }: Deployment): Promise<void> {
  await change("rollback", stage, [], ["--timestamp", folder.slice(0, folder.indexOf("-"))]);
  const failure = await smokeTest(await requireStack(stage));
  if (failure === undefined) return;
  throw new Refusal(`rolled back, but it does not work either: ${failure}\nSee infra/RUNBOOK.md`);
}

export function requireReady(stage: Stage, stack: Stack | undefined): Stack {
  const { canDeploy, text } = advise(stack, stage);
  if (!stack || !canDeploy) throw new Refusal(text);
  return stack;
}

async function requireStack(stage: Stage): Promise<Stack> {
  return requireReady(stage, await describeStack(stage));
}

/** CloudFormation may continue after the command has ended, so errors include the state of the stack. */
export async function change(
  command: "deploy" | "rollback" | "remove",
  stage: Stage,
  parameters: readonly string[] = [],
  options: readonly string[] = [],
): Promise<void> {
  const given = [...options, ...parameters.map((parameter) => `--param=${parameter}`)];
  const { code, wasInterrupted } = await runFramework(command, stage, given);
  if (wasInterrupted) throw new Interruption(`${command} was interrupted; ${await stateOf(stage)}`);
  if (code !== 0) throw new Refusal(`${command} failed, for the reason above; ${await stateOf(stage)}`);
}

async function stateOf(stage: Stage): Promise<string> {
  try {
    return advise(await describeStack(stage), stage).text;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `the state of ${stage.stack} is unknown: ${error.message}`;
  }
}

/** "abc1234", or "abc1234-changed" if files differ from it. */
function readCommit(): string {
  const git = (...given: string[]) => spawnSync("git", given, { encoding: "utf8" });
  const { status, stdout } = git("rev-parse", "--short", "HEAD");
  if (status !== 0) return "unknown";
  return stdout.trim() + (git("status", "--porcelain").stdout.trim() === "" ? "" : "-changed");
}
