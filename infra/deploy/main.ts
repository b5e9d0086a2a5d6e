/** `npm run package`, `deploy`, `rollback`, `remove` and `status`. */
import { confirmed } from "../admin/terminal/confirm.ts";
import { Refusal } from "../refusal.ts";
import { advise } from "./advice.ts";
import { check } from "./check.ts";
import { fetchFramework, Interruption, runFramework } from "./framework.ts";
import { createProgram, type Options } from "./options.ts";
import { change, deploy, requireReady, rollBack } from "./release.ts";
import { findStage, type Stage } from "./settings.ts";
import { describeDeployment, describeStack, readDeployments, type Stack } from "./stack.ts";

const program = createProgram({
  async package(options) {
    const stage = findStage(options);
    fetchFramework();
    if (options.check) await requireChecked(stage, await describeStack(stage), { ...options, yes: true });
    const { code } = await runFramework("package", stage);
    if (code !== 0) throw new Refusal("nothing was packaged; the reason is printed above");
  },

  async deploy(options) {
    const stage = findStage(options);
    fetchFramework();
    const stack = await describeStack(stage);
    await requireChecked(stage, stack, options);
    await deploy(stage, stack, options);
    await report(stage);
  },

  async rollback(options) {
    const stage = findStage(options);
    fetchFramework();
    const stack = requireReady(stage, await describeStack(stage));
    const { current, before } = await readDeployments(stage, stack);
    if (!before) {
      throw new Refusal("no deployment before this one is kept: deploy the commit that you want instead");
    }
    if (current) console.error(`burgee: now     ${describeDeployment(current)}`);
    console.error(`burgee: before  ${describeDeployment(before)}`);
    await confirmed(`Roll ${stage.stack} back to the deployment before?`, options);
    await rollBack(stage, before);
    await report(stage);
  },

  async remove(options) {
    const stage = findStage(options);
    fetchFramework();
    const stack = await describeStack(stage);
    // CloudFormation would refuse, but only once the framework has deleted the archives that a rollback needs.
    const isUpdating = /^UPDATE_.*IN_PROGRESS$/.test(stack?.status ?? "");
    if (!stack || isUpdating) throw new Refusal(advise(stack, stage).text);
    await confirmed(`Remove ${stage.stack} in ${stage.region}?`, options);
    await change("remove", stage);
  },

  async status(options) {
    const stage = findStage(options);
    fetchFramework();
    await report(stage);
  },
});

/** Prints the check. A deployment that it warns about needs a confirmation. */
async function requireChecked(stage: Stage, stack: Stack | undefined, { yes }: Options): Promise<void> {
  const findings = await check(stage, stack);
  for (const { mark, about, text } of findings) {
    console.error(`${mark.padStart(4)}  ${about.padEnd(11)}  ${text}`);
  }
  if (findings.some(({ mark }) => mark === "x"))
    throw new Refusal("nothing was changed: see the lines with x");
  if (!findings.some(({ mark }) => mark === "!")) return;
  if (!yes && !(process.stdin.isTTY && process.stderr.isTTY)) {
    throw new Refusal(`nothing was changed: see the lines with !, or give --yes to go on in spite of them`);
  }
  await confirmed("Go on in spite of the lines with !?", { yes });
}

async function report(stage: Stage): Promise<void> {
  const stack = await describeStack(stage);
  console.error(`burgee: ${advise(stack, stage).text}`);
  for (const name of ["Url", "TableName", "Commit", "DomainTarget", "DomainZone", "AlarmTopic"]) {
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
