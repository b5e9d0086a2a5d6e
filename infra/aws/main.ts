/** Runs the commands of a deployment: `npm run package`, `preview`, `deploy`, `rollback`, `remove` and `status`. */
import { type Command, InvalidArgumentError } from "commander";
import { requireConfirmation } from "../cli/confirm.ts";
import { exitOnErrors } from "../cli/exit.ts";
import { OneValueCommand } from "../cli/options.ts";
import { describeError } from "./aws.ts";
import { requireChecked } from "./check.ts";
import { readDeployed } from "./deployments.ts";
import { makePackage } from "./framework.ts";
import { deploy, preview, type ReleasePlan, type Watch } from "./release.ts";
import { remove } from "./removal.ts";
import { type Consent, rollBack } from "./rollback.ts";
import { readSettings } from "./settings.ts";
import { describeStack, findStack, findStage, requireStack, requireUpdatable, type Stage } from "./stack.ts";

const notes = `
AWS is reached with the usual credentials and region (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY;
AWS_REGION); "package" needs none. The first command that packages the sources fetches the framework (osls) from the npm
registry; after that "package" needs no network.`;

const program = exitOnErrors(new OneValueCommand("npm run"))
  .usage("(package | preview | deploy | rollback | remove | status) -- --stage <name>")
  .description("Deploys the service to AWS.")
  .helpCommand(false)
  .addHelpText("afterAll", notes);

interface Options extends Consent, Watch {
  stage: string;
  settings?: string;
  sameCode?: boolean;
}

type Run = (stage: Stage, options: Options) => unknown;

function command(name: string, run: Run, description: string, defaultStage?: string): Command {
  return program
    .command(name)
    .usage("-- [options]")
    .description(description)
    .requiredOption("--stage <name>", "the name of the stage, such as prod", defaultStage)
    .action(async (options: Options) => {
      const { AWS_REGION: region = "us-east-1" } = process.env;
      await run(await findStage(options.stage, name === "package" ? region : undefined), options);
    });
}

const settings = ["--settings <file>", "change the settings that this file names"] as const;
const sameCode = [
  "--same-code",
  "change settings alone: deploy what the stage runs, not the sources",
] as const;
const yes = ["--yes", "do not ask for confirmation"] as const;
command("package", makePackage, "Write the template and the functions' archives into .serverless.", "dev");
command("preview", previewStage, "Check the account, and print what a deployment would change.")
  .option(...settings)
  .option(...sameCode);
command("deploy", deployStage, "Check the account, show what changes, deploy the sources, and test them.")
  .option(...settings)
  .option(...sameCode)
  .option(
    "--watch <minutes>",
    "go back if AdminErrors fires while it deploys, or in this time after it",
    toMinutes,
  )
  .option("--yes", "ask neither before it changes something, nor before it rolls a failure back");
command("rollback", goBack, "Go back to the deployment before; settings keep their values.").option(...yes);
command("remove", removeStage, "Remove the stage; the table of dev and staging too.").option(...yes);
command("status", report, "Print the stage's state, address, table and settings.");

/** Accepts the minutes for which CloudFormation can watch an alarm. */
function toMinutes(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 180) return Number(text);
  throw new InvalidArgumentError("It must be a number of minutes, up to 180.");
}

async function readPlan(stage: Stage, { settings: file, sameCode }: Options): Promise<ReleasePlan> {
  const [before, bootstrap] = await Promise.all([
    findStack(stage),
    findStack({ ...stage, stack: `people-${stage.stack}` }),
  ]);
  requireUpdatable(before, stage);
  const packaged = sameCode ? await readDeployed(stage, requireStack(before, stage)) : makePackage(stage);
  const settings = readSettings(packaged.template, before?.parameters, file);
  const plan = { ...stage, packaged, settings, bootstrap, before };
  await requireChecked(plan);
  return plan;
}

async function previewStage(stage: Stage, options: Options): Promise<void> {
  await preview(await readPlan(stage, options));
}

async function deployStage(stage: Stage, options: Options): Promise<void> {
  await deploy(await readPlan(stage, options), options);
  await report(stage);
}

async function goBack(stage: Stage, options: Options): Promise<void> {
  const stack = requireStack(await findStack(stage), stage);
  requireUpdatable(stack, stage);
  await rollBack(stage, stack, options);
  await report(stage);
}

async function removeStage(stage: Stage, options: Options): Promise<void> {
  const stack = requireStack(await findStack(stage), stage);
  await requireConfirmation(
    `Remove ${stage.stack} in ${stage.region}, with its logs? The table is kept, except in dev and staging.`,
    options,
  );
  await remove(stage, stack);
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
  const text = describeError(error);
  if (text === undefined) throw error;
  console.error(`burgee: ${text}`);
  process.exitCode = 1;
}
