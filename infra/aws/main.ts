/** `npm run package`, `deploy`, `rollback`, `remove` and `status`. */
import { Command } from "commander";
import { confirmed } from "../cli/confirm.ts";
import { exitOnErrors } from "../cli/exit.ts";
import { Refusal } from "../cli/refusal.ts";
import { explainAwsError, requireCredentials } from "./aws.ts";
import { requireChecked } from "./check.ts";
import { describeDeployment, readDeployments } from "./deployments.ts";
import { fetchFramework, runFramework } from "./framework.ts";
import { findStage, planFirst, readPlan } from "./plan.ts";
import { type Consent, deploy, remove, requireStack, rollBack } from "./release.ts";
import { describeStack, findStack, isTableProtected, type Stage } from "./stack.ts";

const notes = `
AWS is reached with the usual credentials and region (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY;
AWS_REGION); "package" without --check needs none. The first of these commands fetches the framework (osls) from the
npm registry; after that "package" needs no network.`;

const program = exitOnErrors(new Command("npm run"))
  .usage("(package | deploy | rollback | remove | status) -- --stage <name>")
  .description("Deploys the service to AWS.")
  .helpCommand(false)
  .addHelpText("afterAll", notes);

interface Options extends Consent {
  stage: string;
  settings?: string;
  check?: boolean;
}

type Run = (options: Options) => Promise<void>;

function command(name: string, run: Run, description: string, defaultStage?: string): Command {
  return program
    .command(name)
    .usage("-- [options]")
    .description(description)
    .requiredOption("--stage <name>", "the name of the stage, such as prod", defaultStage)
    .action(async (options: Options) => {
      const isOffline = name === "package" && !options.check;
      if (!isOffline) await requireCredentials();
      fetchFramework();
      await run(options);
    });
}

const settings = ["--settings <file>", "change the settings that this file names"] as const;
const yes = ["--yes", "do not ask for confirmation"] as const;
command("package", writePackage, "Write the template and the functions' archives into .serverless.", "dev")
  .option(...settings)
  .option("--check", "package the stage as it is deployed, and check the account");
command("deploy", checkAndDeploy, "Check the account, deploy the sources to the stage, and test it.")
  .option(...settings)
  .option("--yes", "roll back without asking if the test fails");
command("rollback", goBack, "Go back to the deployment before.").option(...yes);
command("remove", removeStage, "Remove the stage; keepTable says whether its table is kept.").option(...yes);
command("status", reportStage, "Print the stage's state, address, table, settings and topic of alarms.");

async function writePackage({ stage: name, settings, check }: Options): Promise<void> {
  const { AWS_REGION: region = "us-east-1" } = process.env;
  const plan = check
    ? await readPlan(await findStage(name), settings)
    : planFirst(await findStage(name, region), settings);
  if (check) await requireChecked(plan);
  const code = await runFramework("package", plan, []);
  if (code !== 0) throw new Refusal("nothing was packaged; the reason is printed above");
}

async function checkAndDeploy(options: Options): Promise<void> {
  const plan = await readPlan(await findStage(options.stage), options.settings);
  await requireChecked(plan);
  await deploy(plan, options);
  await report(plan);
}

async function goBack(options: Options): Promise<void> {
  const stage = await findStage(options.stage);
  const stack = await requireStack(stage);
  const { current, before } = await readDeployments(stage, stack);
  if (!current || !before) {
    throw new Refusal("no deployment can be rolled back to: deploy the commit that you want instead");
  }
  console.error(`burgee: now     ${describeDeployment(current)}`);
  console.error(`burgee: before  ${describeDeployment(before)}`);
  await confirmed(`Roll ${stage.stack} back to the deployment before?`, options);
  await rollBack(stage, stack, before);
  await report(stage);
}

async function removeStage(options: Options): Promise<void> {
  const stage = await findStage(options.stage);
  const stack = await requireStack(stage);
  await confirmed(`Remove ${stage.stack} in ${stage.region}?`, options);
  await remove(stage, stack);
}

async function reportStage({ stage }: Options): Promise<void> {
  await report(await findStage(stage));
}

const printed = ["Url", "TableName", "Commit", "Settings", "DomainTarget", "DomainZone", "AlarmTopic"];

async function report(stage: Stage): Promise<void> {
  const stack = await findStack(stage);
  console.error(`burgee: ${describeStack(stack, stage)}`);
  for (const name of printed) {
    const value = stack?.outputs[name];
    if (value !== undefined) console.log(`${name}: ${value}`);
  }
  const table = stack?.outputs.TableName;
  // The name is printed without the permission to look the table up, too.
  const state =
    table &&
    (await isTableProtected(stage.region, table).catch((error) => `unknown, ${explainAwsError(error)}`));
  if (table) console.log(`TableProtected: ${state}`);
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
