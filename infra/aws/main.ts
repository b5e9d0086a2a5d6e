/** `npm run package`, `deploy`, `rollback`, `remove` and `status`. */
import { Command, Option } from "commander";
import { confirmed } from "../cli/confirm.ts";
import { exitOnErrors } from "../cli/exit.ts";
import { Refusal } from "../cli/refusal.ts";
import { explain } from "./aws.ts";
import { requireChecked } from "./check.ts";
import { fetchFramework, runFramework } from "./framework.ts";
import { deploy, requireRun, requireStack, rollBack } from "./release.ts";
import { findStage, type Options, type Stage } from "./settings.ts";
import { describeDeployment, describeStack, findStack, isProtected, readDeployments } from "./stack.ts";

const notes = `
infra/aws/settings.yml has the stages and their settings. AWS is reached with the usual credentials
(AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY); "package" without --check needs none. The first
of these commands fetches the framework (osls) from the npm registry; after that "package" needs no network.`;

const program = exitOnErrors(new Command("npm run"))
  .usage("(package | deploy | rollback | remove | status) -- --stage <name>")
  .description("Deploys the service to AWS.")
  .helpCommand(false)
  .addHelpText("afterAll", notes);

type Run = (stage: Stage, options: Options) => Promise<void>;

function command(name: string, run: Run, description: string, defaultStage?: string): Command {
  return program
    .command(name)
    .usage("-- [options]")
    .description(description)
    .requiredOption("--stage <name>", "a stage of infra/aws/settings.yml", defaultStage)
    .option("--region <name>", "use this region instead of the stage's own")
    .addOption(
      new Option("--settings <file>", "override settings by those of this file").env("BURGEE_SETTINGS"),
    )
    .action(async (options: Options) => {
      const stage = findStage(options);
      fetchFramework();
      await run(stage, options);
    });
}

const yes = ["--yes", "do not ask for confirmation"] as const;
command(
  "package",
  writePackage,
  "Write the template and the functions' archives into .serverless.",
  "dev",
).option("--check", "check the account first: credentials, limits, what the settings name");
command("deploy", checkAndDeploy, "Check the account, deploy the sources to the stage, and test it.").option(
  "--yes",
  "roll back without asking if the test fails",
);
command("rollback", goBack, "Go back to the deployment before.").option(...yes);
command("remove", remove, "Remove the stage; keepTable says whether its table is kept.").option(...yes);
command(
  "status",
  report,
  "Print the stage's state, its address, its table, its protection and the topic of its alarms.",
);

async function writePackage(stage: Stage, { check }: Options): Promise<void> {
  if (check) await requireChecked(stage, await findStack(stage));
  const code = await runFramework("package", stage, []);
  if (code !== 0) throw new Refusal("nothing was packaged; the reason is printed above");
}

async function checkAndDeploy(stage: Stage, options: Options): Promise<void> {
  const stack = await findStack(stage);
  await requireChecked(stage, stack);
  await deploy(stage, stack, options);
  await report(stage);
}

async function goBack(stage: Stage, options: Options): Promise<void> {
  const { current, before } = await readDeployments(stage, await requireStack(stage));
  if (!current || !before) {
    throw new Refusal("no deployment can be rolled back to: deploy the commit that you want instead");
  }
  console.error(`burgee: now     ${describeDeployment(current)}`);
  console.error(`burgee: before  ${describeDeployment(before)}`);
  await confirmed(`Roll ${stage.stack} back to the deployment before?`, options);
  await rollBack(stage, before);
  await report(stage);
}

async function remove(stage: Stage, options: Options): Promise<void> {
  await requireStack(stage);
  await confirmed(`Remove ${stage.stack} in ${stage.region}?`, options);
  await requireRun("remove", stage);
}

async function report(stage: Stage): Promise<void> {
  const stack = await findStack(stage);
  console.error(`burgee: ${describeStack(stack, stage)}`);
  for (const name of ["Url", "TableName", "Commit", "DomainTarget", "DomainZone", "AlarmTopic"]) {
    const value = stack?.outputs[name];
    if (value !== undefined) console.log(`${name}: ${value}`);
  }
  const table = stack?.outputs.TableName;
  // The name is printed without the permission to look the table up, too.
  const state =
    table && (await isProtected(stage.region, table).catch((error) => `unknown, ${explain(error)}`));
  if (table) console.log(`TableProtected: ${state}`);
}

try {
  await program.parseAsync();
} catch (error) {
  const { name, message } = error as Error;
  const isExpected = error instanceof Refusal;
  const text = name === "ExitPromptError" ? "nothing was changed" : isExpected ? message : explain(error);
  if (text === undefined) throw error;
  console.error(`burgee: ${text}`);
  process.exitCode = 1;
}
