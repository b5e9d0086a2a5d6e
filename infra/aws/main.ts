/** `npm run package`, `preview`, `deploy`, `rollback`, `remove` and `status`. */
import { Command } from "commander";
import { confirmed } from "../cli/confirm.ts";
import { exitOnErrors } from "../cli/exit.ts";
import { Refusal } from "../cli/refusal.ts";
import { explainAwsError } from "./aws.ts";
import { requireChecked } from "./check.ts";
import { readDeployed } from "./deployments.ts";
import { fetchFramework, makePackage } from "./framework.ts";
import { deploy, preview, type ReleasePlan, type Watch } from "./release.ts";
import { remove } from "./removal.ts";
import { type Consent, rollBack } from "./rollback.ts";
import { readSettings } from "./settings.ts";
import { describeStack, findStack, findStage, requireUpdatable, type Stack, type Stage } from "./stack.ts";

const notes = `
AWS is reached with the usual credentials and region (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY;
AWS_REGION); "package" needs none. The first of these commands fetches the framework (osls) from the npm registry;
after that "package" needs no network.`;

const program = exitOnErrors(new Command("npm run"))
  .usage("(package | preview | deploy | rollback | remove | status) -- --stage <name>")
  .description("Deploys the service to AWS.")
  .helpCommand(false)
  .addHelpText("afterAll", notes);

interface Options extends Consent, Watch {
  stage: string;
  settings?: string;
  sameCode?: boolean;
}

type Run = (options: Options) => Promise<void>;

function command(name: string, run: Run, description: string, defaultStage?: string): Command {
  return program
    .command(name)
    .usage("-- [options]")
    .description(description)
    .requiredOption("--stage <name>", "the name of the stage, such as prod", defaultStage)
    .action(async (options: Options) => {
      // A mistake in what was typed is reported before anything is fetched.
      await findStage(options.stage, name === "package" ? "any" : undefined);
      fetchFramework();
      await run(options);
    });
}

const settings = ["--settings <file>", "change the settings that this file names"] as const;
const sameCode = [
  "--same-code",
  "change settings alone: deploy what the stage runs, not the sources",
] as const;
const yes = ["--yes", "do not ask for confirmation"] as const;
command("package", writePackage, "Write the template and the functions' archives into .serverless.", "dev");
command("preview", previewStage, "Check the account, and print what a deployment would change.")
  .option(...settings)
  .option(...sameCode);
command("deploy", deployStage, "Check the account, show what changes, deploy the sources, and test them.")
  .option(...settings)
  .option(...sameCode)
  .option("--watch <minutes>", "go back if AdminErrors fires while it deploys, or in this time after it")
  .option("--yes", "ask neither before it changes something, nor before it rolls a failure back");
command("rollback", goBack, "Go back to the deployment before; settings keep their values.").option(...yes);
command("remove", removeStage, "Remove the stage; the table of dev and staging too.").option(...yes);
command("status", reportStage, "Print the stage's state, address, table and settings.");

async function writePackage({ stage: name }: Options): Promise<void> {
  makePackage(await findStage(name, process.env.AWS_REGION ?? "us-east-1"));
}

async function readPlan(options: Options): Promise<ReleasePlan> {
  const stage = await findStage(options.stage);
  const [before, bootstrap] = await Promise.all([
    findStack(stage),
    findStack({ ...stage, stack: `people-${stage.stack}` }),
  ]);
  requireUpdatable(before, stage);
  const packaged = options.sameCode
    ? await readDeployed(stage, await requireStack(stage))
    : makePackage(stage);
  const read = readSettings(packaged.template, before?.parameters, options.settings);
  const plan = { ...stage, packaged, settings: read, bootstrap, before };
  await requireChecked(plan);
  return plan;
}

async function previewStage(options: Options): Promise<void> {
  await preview(await readPlan(options));
}

async function deployStage(options: Options): Promise<void> {
  const plan = await readPlan(options);
  await deploy(plan, options);
  await report(plan);
}

async function goBack(options: Options): Promise<void> {
  const stage = await findStage(options.stage);
  const stack = await requireStack(stage);
  requireUpdatable(stack, stage);
  await rollBack(stage, stack, options);
  await report(stage);
}

async function removeStage(options: Options): Promise<void> {
  const stage = await findStage(options.stage);
  const stack = await requireStack(stage);
  await confirmed(`Remove ${stage.stack} in ${stage.region}?`, options);
  await remove(stage, stack);
}

async function requireStack(stage: Stage): Promise<Stack> {
  const stack = await findStack(stage);
  if (!stack) throw new Refusal(describeStack(stack, stage));
  return stack;
}

async function reportStage({ stage }: Options): Promise<void> {
  await report(await findStage(stage));
}

async function report(stage: Stage): Promise<void> {
  const stack = await findStack(stage);
  console.error(`burgee: ${describeStack(stack, stage)}`);
  for (const [name, value] of Object.entries({ ...stack?.outputs, ...stack?.parameters })) {
    // The framework's own repeats DefaultUrl.
    if (value !== "" && name !== "HttpApiUrl") console.log(`${name}: ${value}`);
  }
}

try {
  await program.parseAsync();
} catch (error) {
  const { name, message } = error as Error;
  const isExpected = error instanceof Refusal;
  const text =
    name === "ExitPromptError" ? "nothing was changed" : isExpected ? message : explainAwsError(error);
  if (text === undefined) throw error;
  console.error(`burgee: ${text}`);
  process.exitCode = 1;
}
