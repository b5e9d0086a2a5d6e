/** Defines the deployment commands and their options. */
import { Command, Option } from "commander";
import { notEmpty } from "../local/options.ts";

export interface Options {
  stage: string;
  region?: string;
  yes?: boolean;
}

export type Actions = Record<"package" | "deploy" | "remove" | "status", (options: Options) => Promise<void>>;

const notes = `
infra/stages.yml lists the stages and their settings. AWS is reached with the usual credentials
(AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY); "package" needs none. The first
of these commands fetches the framework (osls) from the npm registry; after that "package" needs no network.

Examples:
  npm run package -- --stage prod
  npm run deploy -- --stage prod
  npm run status -- --stage prod
  npm run remove -- --stage dev`;

export function createProgram(actions: Actions): Command {
  const program = new Command("npm run").usage("(package | deploy | remove | status) -- --stage <name>");
  program.description("Deploys the service to AWS.").helpCommand(false).addHelpText("afterAll", notes);
  const command = (name: keyof Actions, description: string, stage: Option) =>
    program
      .command(name)
      .usage("-- [options]")
      .description(description)
      .addOption(stage)
      .option("--region <name>", "use this region instead of the stage's own", notEmpty)
      .action((options: Options) => actions[name](options));
  const stage = () => new Option("--stage <name>", "a stage of infra/stages.yml");
  const meant = () => stage().makeOptionMandatory();
  command(
    "package",
    "Write the template and the functions' archives into .serverless.",
    stage().default("dev"),
  );
  // Without a terminal a confirmation is impossible.
  const yes = ["--yes", "do not ask for confirmation"] as const;
  command("deploy", "Deploy the sources to the stage.", meant()).option(...yes);
  command("remove", "Remove the stage; infra/stages.yml says whether its table is kept.", meant()).option(
    ...yes,
  );
  command("status", "Print the stage's state, its address, its table and the topic of its alarms.", meant());
  return program;
}
