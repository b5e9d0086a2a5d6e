/** `npm run package`, `deploy`, `remove` and `status`: runs the framework, and reports the state of the stack. */
import { confirmed } from "../admin/terminal/confirm.ts";
import { Refusal } from "../refusal.ts";
import { advise } from "./advice.ts";
import { fetchFramework, runFramework } from "./framework.ts";
import { createProgram, type Options } from "./options.ts";
import { describeStack, type Stack } from "./stack.ts";
import { findStage, type Stage } from "./stages.ts";

class Interruption extends Refusal {}

const program = createProgram({
  async package(options) {
    const stage = findStage(options);
    fetchFramework();
    const { code } = await runFramework("package", stage);
    if (code !== 0) throw new Refusal("nothing was packaged; the reason is printed above");
  },

  async deploy(options) {
    const stage = findStage(options);
    await confirmMissingTopic(stage, options);
    fetchFramework();
    const stack = await describeStack(stage);
    const { canDeploy, text } = advise(stack, stage);
    if (!canDeploy) throw new Refusal(text);
    refuseTwoTables(stage, stack);
    // The framework takes the archives that it uploaded last for those that are deployed, even after a rollback.
    const isComplete = /^(CREATE|UPDATE)_COMPLETE$/.test(stack?.status ?? "");
    await change("deploy", stage, isComplete ? [] : ["--force"]);
    await report(stage);
  },

  async remove(options) {
    const stage = findStage(options);
    fetchFramework();
    const stack = await describeStack(stage);
    // CloudFormation would refuse, but only once the framework has deleted the archives that a rollback needs.
    const isUpdating = /^UPDATE_.*IN_PROGRESS$/.test(stack?.status ?? "");
    if (!stack || isUpdating) throw new Refusal(advise(stack, stage).text);
    await confirmed(`Remove ${stage.stack} in ${stage.region}?`, { yes: options.yes });
    await change("remove", stage);
  },

  async status(options) {
    const stage = findStage(options);
    fetchFramework();
    await report(stage);
  },
});

/** Alarms without a topic are easily overlooked, so deploying a stage that has them needs a confirmation. */
async function confirmMissingTopic({ name, lacksAlarmTopic }: Stage, { yes }: Options): Promise<void> {
  if (!lacksAlarmTopic) return;
  console.error(`burgee: ${missingTopic(name)}`);
  if (!yes && !(process.stdin.isTTY && process.stderr.isTTY)) {
    throw new Refusal(`${name} was not deployed: set alarmTopic, or give --yes to deploy it anyway`);
  }
  await confirmed(`Deploy ${name} anyway?`, { yes });
}

function missingTopic(name: string): string {
  return `the alarms of ${name} have no recipient: set its alarmTopic in infra/stages.yml`;
}

/** During a canary the old version would still use the old table, which the roles no longer permit. */
function refuseTwoTables({ name, isCanary, otherTable }: Stage, stack: Stack | undefined): void {
  const { TableName: used, OwnTable: own } = stack?.outputs ?? {};
  const next = otherTable ?? own;
  if (!isCanary || used === undefined || next === undefined || next === used) return;
  throw new Refusal(
    `${name} uses the table ${used}, and a canary would use ${next} as well: set releases: atOnce to change the table`,
  );
}

/** CloudFormation may continue after the command has ended, so errors include the state of the stack. */
async function change(
  command: "deploy" | "remove",
  stage: Stage,
  options: readonly string[] = [],
): Promise<void> {
  const { code, wasInterrupted } = await runFramework(command, stage, options);
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

async function report(stage: Stage): Promise<void> {
  const stack = await describeStack(stage);
  console.error(`burgee: ${advise(stack, stage).text}`);
  if (stack?.outputs.AlarmTopic === "none") console.error(`burgee: ${missingTopic(stage.name)}`);
  for (const name of ["Url", "TableName", "DomainTarget", "DomainZone", "AlarmTopic"]) {
    const value = stack?.outputs[name];
    if (value !== undefined) console.log(`${name}: ${value}`);
  }
}

try {
  await program.parseAsync();
} catch (error) {
  const isPromptClosed = error instanceof Error && error.name === "ExitPromptError";
  if (!isPromptClosed && !(error instanceof Refusal)) throw error;
  console.error(`burgee: ${isPromptClosed ? "nothing was changed" : error.message}`);
  process.exitCode = isPromptClosed || error instanceof Interruption ? 130 : 1;
}
