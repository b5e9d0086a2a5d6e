/** What the deployment commands take after `--`. */
import { Command, Option } from "commander";

export interface Options {
  stage: string;
  region?: string;
  yes?: boolean;
}

export type Action = (options: Options) => Promise<void>;

export interface Actions {
  package: Action;
  deploy: Action;
  remove: Action;
  status: Action;
}

const notes = `
infra/stages.yml lists the stages and what each of them is set to. AWS is reached by the usual credentials
(AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY); "package" needs none. The first
of these commands fetches the framework (osls) from the npm registry; after that "package" needs no network.

Examples:
  npm run package -- --stage prod
  npm run deploy -- --stage prod
  npm run status -- --stage prod
  npm run remove -- --stage dev`;

export function createProgram(actions: Actions): Command {
  const program = new Command("npm run").usage("(package | deploy | remove | status) -- --stage <name>");
  program.description("Deploys the service to AWS.").helpCommand(false).addHelpText("after", notes);
  const command = (name: keyof Actions, description: string, stage: Option) =>
    program
      .command(name)
      .description(description)
      .addOption(stage)
      .option("--region <name>", "another region than the stage's own")
      .action((options: Options) => actions[name](options));
  const stage = () => new Option("--stage <name>", "a stage of infra/stages.yml");
  const meant = () => stage().makeOptionMandatory();
  command(
    "package",
    "write the template and the functions' archives into .serverless",
    stage().default("dev"),
  );
  // Without a terminal there is nobody to ask.
  const withoutAsking = ["--yes", "do not ask"] as const;
  command("deploy", "bring the stage to what the sources say now", meant()).option(...withoutAsking);
  command(
    "remove",
    "take the stage down; whether its table stays is said in infra/stages.yml",
    meant(),
  ).option(...withoutAsking);
  command(
    "status",
    "print what state the stage is in, its address, its table and where its alarms are sent",
    meant(),
  );
  return program;
}
