/** Defines the deployment commands and their options. */
import { Command, Option } from "commander";
import { notEmpty } from "../local/options.ts";

export interface Options {
  stage: string;
  region?: string;
  settings?: string;
  yes?: boolean;
  check?: boolean;
}

export type Actions = Record<
  "package" | "deploy" | "rollback" | "remove" | "status",
  (options: Options) => Promise<void>
>;

const notes = `
infra/settings.yml has the stages and their settings. AWS is reached with the usual credentials
(AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY); "package" without --check needs none. The first
of these commands fetches the framework (osls) from the npm registry; after that "package" needs no network.

Examples:
  npm run package -- --stage prod --check
  npm run deploy -- --stage prod --settings ../burgee.yml
  npm run rollback -- --stage prod
  npm run status -- --stage prod
  npm run remove -- --stage dev`;

export function createProgram(actions: Actions): Command {
  const usage = "(package | deploy | rollback | remove | status) -- --stage <name>";
  const program = new Command("npm run").usage(usage);
  program.description("Deploys the service to AWS.").helpCommand(false).addHelpText("afterAll", notes);
  const command = (name: keyof Actions, description: string, stage: Option) =>
    program
      .command(name)
      .usage("-- [options]")
      .description(description)
      .addOption(stage)
      .option("--region <name>", "use this region instead of the stage's own", notEmpty)
      .addOption(
        new Option("--settings <file>", "override settings by those of this file").env("BURGEE_SETTINGS"),
      )
      .action((options: Options) => actions[name](options));
  const stage = () => new Option("--stage <name>", "a stage of infra/settings.yml");
  const meant = () => stage().makeOptionMandatory();
  command(
    "package",
    "Write the template and the functions' archives into .serverless.",
    stage().default("dev"),
  ).option("--check", "check the account first: credentials, limits, what the settings name");
  // Without a terminal a confirmation is impossible.
  const yes = ["--yes", "do not ask for confirmation"] as const;
  command("deploy", "Check the account, deploy the sources to the stage, and test it.", meant()).option(
    "--yes",
    "do not ask for confirmation; roll back if the test fails",
  );
  command("rollback", "Go back to the deployment before.", meant()).option(...yes);
  command("remove", "Remove the stage; keepTable says whether its table is kept.", meant()).option(...yes);
  command("status", "Print the stage's state, its address, its table and the topic of its alarms.", meant());
  return program;
}
