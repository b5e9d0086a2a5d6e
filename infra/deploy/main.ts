/** `npm run package`, `deploy`, `remove` and `status`: the framework, and what it leaves unsaid. */
import { confirmed } from "../admin/terminal/confirm.ts";
import { Refusal } from "../refusal.ts";
import { advise } from "./advice.ts";
import { fetchFramework, runFramework } from "./framework.ts";
import { createProgram } from "./options.ts";
import { describeStack } from "./stack.ts";
import { findTarget, type Target } from "./stages.ts";

let wasInterrupted = false;

const program = createProgram({
  async package(options) {
    const target = findTarget(options);
    fetchFramework();
    const code = await runFramework("package", target);
    if (code !== 0) throw new Refusal("nothing was packaged; the reason stands above");
  },

  async deploy(options) {
    const target = findTarget(options);
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
    await confirmed(`Take down ${target.stack} in ${target.region}?`, { yes: options.yes });
    await change("remove", target);
  },

  async status(options) {
    const target = findTarget(options);
    fetchFramework();
    await report(target);
  },
});

/** The framework's end is not the end of what CloudFormation does. */
async function change(command: "deploy" | "remove", target: Target): Promise<void> {
  const code = await runFramework(command, target);
  if (code === 0 && !wasInterrupted) return;
  const what = wasInterrupted ? "was interrupted" : "failed, for the reason above";
  const { text } = advise(await describeStack(target), target);
  throw new Refusal(`the command ${what}; ${text}`);
}

async function report(target: Target): Promise<void> {
  const stack = await describeStack(target);
  console.error(`burgee: ${advise(stack, target).text}`);
  for (const name of ["Url", "TableName", "DomainTarget"]) {
    const value = stack?.outputs[name];
    if (value !== undefined) console.log(`${name}: ${value}`);
  }
}

// The framework gets the signal too, and ends; what to tell of it is told after that.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    wasInterrupted = true;
  });
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`burgee: ${error.message}`);
  process.exitCode = wasInterrupted ? 130 : 1;
}
