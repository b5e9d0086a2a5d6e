/** Deploys a stage and tests it, or rolls it back. */
import { spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { confirmed } from "../cli/confirm.ts";
import { Refusal } from "../cli/refusal.ts";
import { explain } from "./aws.ts";
import { runFramework } from "./framework.ts";
import type { Options, Stage } from "./settings.ts";
import {
  type Deployment,
  deleteNewerArchives,
  describeDeployment,
  describeStack,
  findStack,
  readDeployments,
  type Stack,
  setProtection,
} from "./stack.ts";

/** The first creation did not finish: there is no table yet, and CloudFormation can only delete such a stack. */
const neverCreated = /^(CREATE_FAILED|ROLLBACK_COMPLETE|ROLLBACK_FAILED|REVIEW_IN_PROGRESS)$/;

/** Called with an unknown key: their 401 shows that both functions run and can read the table. */
const paths = [
  "/api/admin/features/smoke-test/tags",
  "/api/admin/projects/smoke-test/features/smoke-test/variants",
];

/** New addresses and permissions take a while to reach all of AWS. */
const smokeTestMs = 30_000;
const pauseMs = 2000;

export async function deploy(stage: Stage, found: Stack | undefined, options: Options): Promise<void> {
  const isBroken = found !== undefined && neverCreated.test(found.status);
  if (isBroken) await removeBroken(stage, found);
  const stack = found && !isBroken ? requireIdle(found, stage) : undefined;
  const current = stack && (await readDeployments(stage, stack)).current;
  // Without the archives of deployments that failed or were rolled back, the framework compares new archives with what
  // is deployed, and a rollback ends at a deployment that has served.
  if (stack) await deleteNewerArchives(stage, stack, current?.folder);
  await requireRun("deploy", stage, [`--param=commit=${readCommit()}`, ...tablesOf(stage, stack)]);
  const deployed = await requireStack(stage);
  await test(stage, deployed, current, options);
  await protectTables(stage, deployed);
}

/** A stack under review may be another user's first deployment, which has only begun. */
async function removeBroken(stage: Stage, { status }: Stack): Promise<void> {
  if (status === "REVIEW_IN_PROGRESS") {
    const what = "another first deployment has just begun, or was interrupted";
    console.error(`burgee: ${stage.stack} is REVIEW_IN_PROGRESS: ${what}`);
    await confirmed("Remove it?", {}).catch(() => {
      throw new Refusal(
        `nothing was changed; if it was interrupted: npm run remove -- --stage ${stage.name}`,
      );
    });
  }
  await requireRun("remove", stage);
}

/** Not by the template, as a protected table would outlive a first deployment that fails. */
async function protectTables({ region, settings: { keepTable } }: Stage, { outputs }: Stack): Promise<void> {
  const { OwnTable: own = "", TableName: used = own } = outputs;
  for (const TableName of keepTable ? new Set([own, used]) : [own]) {
    await setProtection(region, TableName, keepTable);
  }
}

/** In the deployment that changes the table, code that still runs uses the old one. */
function tablesOf({ settings: { table } }: Stage, stack: Stack | undefined): string[] {
  const { TableName: used, OwnTable: own } = stack?.outputs ?? {};
  const next = typeof table === "string" ? table : own;
  return used === undefined || used === next ? [] : ["--param=tables=both", `--param=oldTable=${used}`];
}

/** Tests what was deployed; rolls it back if it fails, without a terminal or if that is confirmed. */
async function test(
  stage: Stage,
  deployed: Stack,
  before: Deployment | undefined,
  { yes }: Options,
): Promise<void> {
  const failure = await smokeTest(deployed);
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
  await rollBack(stage, before);
  throw new Refusal(`rolled back to ${describeDeployment(before)}`);
}

export async function rollBack(stage: Stage, { folder }: Deployment): Promise<void> {
  await requireRun("rollback", stage, ["--timestamp", folder.slice(0, folder.indexOf("-"))]);
  const failure = await smokeTest(await requireStack(stage));
  if (failure !== undefined) throw new Refusal(`rolled back, but it does not work either: ${failure}`);
}

export async function requireStack(stage: Stage): Promise<Stack> {
  return requireIdle(await findStack(stage), stage);
}

/** CloudFormation would refuse too, but only once archives are gone that the running update needs. */
function requireIdle(stack: Stack | undefined, stage: Stage): Stack {
  // Under review it can be removed.
  const isIdle = stack && !/(?<!^REVIEW)_IN_PROGRESS$/.test(stack.status);
  if (!isIdle) throw new Refusal(describeStack(stack, stage));
  return stack;
}

type Command = "deploy" | "rollback" | "remove";

/** Runs the framework. CloudFormation may continue after it has failed, so the error has the state of the stack. */
export async function requireRun(command: Command, stage: Stage, options: string[] = []): Promise<void> {
  if ((await runFramework(command, stage, options)) === 0) return;
  const state = await findStack(stage).then(
    (stack) => describeStack(stack, stage),
    (error) => `the state of ${stage.stack} is unknown: ${explain(error) ?? error}`,
  );
  throw new Refusal(`${command} did not complete; ${state}`);
}

/** Returns what is wrong; undefined if nothing is. */
async function smokeTest({ outputs }: Stack): Promise<string | undefined> {
  // A custom domain may not be in DNS yet.
  const base = outputs.DefaultUrl ?? outputs.Url;
  const until = Date.now() + smokeTestMs;
  for (;;) {
    const calls = await Promise.all(paths.map((path) => call(`${base}${path}`)));
    const { failure } = calls.find((each) => each.failure) ?? {};
    const { unreachable } = calls.find((each) => each.unreachable) ?? {};
    if (!failure && !unreachable) return undefined;
    if (Date.now() + pauseMs > until) {
      // Behind a proxy, for example: that says nothing about the release.
      if (unreachable)
        console.error(`burgee: not tested, as the address is not reachable from here: ${unreachable}`);
      return failure;
    }
    await setTimeout(pauseMs);
  }
}

async function call(url: string): Promise<{ failure?: string; unreachable?: string }> {
  try {
    const headers = { authorization: "smoke-test" };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(15_000) });
    const body = await response.text();
    // The gateway's own 401 has no such name.
    if (response.status === 401 && body.includes('"AuthenticationRequired"')) return {};
    return { failure: `GET ${url} returned ${response.status} ${body.slice(0, 200)}` };
  } catch (error) {
    const { message, cause } = error as Error;
    return { unreachable: `GET ${url} failed: ${cause instanceof Error ? cause.message : message}` };
  }
}

/** "abc1234", or "abc1234-dirty" if files differ from it. */
function readCommit(): string {
  const { stdout } = spawnSync("git", ["describe", "--always", "--dirty", "--exclude=*"], {
    encoding: "utf8",
  });
  return stdout?.trim() || "unknown";
}
