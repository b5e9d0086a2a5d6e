/** `npm run package`, `deploy`, `remove` and `status`: runs the framework, and reports the state of the stack. */
import { confirmed } from "../admin/terminal/confirm.ts";
import { Refusal } from "../refusal.ts";
import { advise } from "./advice.ts";
import { fetchFramework, runFramework } from "./framework.ts";
import { createProgram, type Options } from "./options.ts";
import { describeStack } from "./stack.ts";
import { findTarget, type Target } from "./stages.ts";

class Interruption extends Refusal {}

const program = createProgram({
  async package(options) {
    const target = findTarget(options);
    fetchFramework();
    const { code } = await runFramework("package", target);
    if (code !== 0) throw new Refusal("nothing was packaged; the reason is printed above");
  },

  async deploy(options) {
    const target = findTarget(options);
    await acceptSilence(target, options);
    fetchFramework();
    const before = advise(await describeStack(target), target);
    if (!before.canDeploy) throw new Refusal(before.text);
    await change("deploy", target);
    await report(target);
  },

  async remove(options) {
    const target = findTarget(options);
    fetchFramework();
    const stack = await describeStack(target);
    if (!stack) throw new Refusal(advise(stack, target).text);
    await confirmed(`Remove ${target.stack} in ${target.region}?`, { yes: options.yes });
    await change("remove", target);
  },

  async status(options) {
    const target = findTarget(options);
    fetchFramework();
    await report(target);
  },
});

/** Alarms without a topic are easily overlooked, so deploying them needs a confirmation. */
async function acceptSilence({ stage, isSilent }: Target, { yes }: Options): Promise<void> {
  if (!isSilent) return;
  console.error(`burgee: ${silence(stage)}`);
  if (!yes && !(process.stdin.isTTY && process.stderr.isTTY)) {
    throw new Refusal(`${stage} was not deployed: set alarmTopic, or give --yes to deploy it anyway`);
  }
  await confirmed(`Deploy ${stage} anyway?`, { yes });
}

function silence(stage: string): string {
  return `the alarms of ${stage} have no recipient: set its alarmTopic in infra/stages.yml`;
}

/** CloudFormation may continue after the command has ended, so errors include the state of the stack. */
async function change(command: "deploy" | "remove", target: Target): Promise<void> {
  const { code, wasInterrupted } = await runFramework(command, target);
  if (wasInterrupted) throw new Interruption(`${command} was interrupted; ${await stateOf(target)}`);
  if (code !== 0) throw new Refusal(`${command} failed, for the reason above; ${await stateOf(target)}`);
}

async function stateOf(target: Target): Promise<string> {
  try {
    return advise(await describeStack(target), target).text;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `the state of ${target.stack} is unknown: ${error.message}`;
  }
}

async function report(target: Target): Promise<void> {
  const stack = await describeStack(target);
  console.error(`burgee: ${advise(stack, target).text}`);
  if (stack?.outputs.AlarmTopic === "none") console.error(`burgee: ${silence(target.stage)}`);
  for (const name of ["Url", "TableName", "DomainTarget", "DomainZone", "AlarmTopic"]) {
    const value = stack?.outputs[name];
    if (value !== undefined) console.log(`${name}: ${value}`);
  }
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`burgee: ${error.message}`);
  process.exitCode = error instanceof Interruption ? 130 : 1;
}
