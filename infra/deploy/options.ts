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
(AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY); "package" needs none, and no network.

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
  command("deploy", "bring the stage to what the sources say now", meant());
  command("remove", "take the stage down; whether its table stays is said in infra/stages.yml", meant())
    // Without a terminal nobody can be asked.
    .option("--yes", "do not ask");
  command("status", "print what state the stage is in, its address and its table", meant());
  return program;
}
