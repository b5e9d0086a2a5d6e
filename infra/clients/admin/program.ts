/** Defines the program: its global options, and all commands. */
import { inspect } from "node:util";
import { type Command, CommanderError, Option } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import { exitCodeOf, explain } from "../../cli/explain.ts";
import { notEmpty, toEndpointUrl, toServiceUrl } from "../../cli/options.ts";
import { note, printJson } from "../../cli/output.ts";
import { bodyOfError } from "../api/api.ts";
import { newCommand } from "./command.ts";
import { applyCommand } from "./commands/apply.ts";
import { exportCommand } from "./commands/export.ts";
import { featureCommands } from "./commands/feature.ts";
import { guardCommands } from "./commands/guard.ts";
import { historyCommand } from "./commands/history.ts";
import { importFlagdCommand } from "./commands/import-flagd.ts";
import { importUnleashCommand } from "./commands/import-unleash.ts";
import { keyCommands } from "./commands/key.ts";
import { projectCommands } from "./commands/project.ts";
import { pushCommand } from "./commands/push.ts";

const notes = `
Where the data is:
  --data DIR       the folder of "npm start -- --data DIR", while that is not running
  --endpoint URL   a DynamoDB engine; "npm start" prints the address of its own
  --url URL        behind the API at this address, with the API key in BURGEE_KEY:
                   for "feature", "guard", "history" and "export"
  none of these    AWS, by the usual region and credentials (AWS_REGION, AWS_PROFILE, ...)

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 differences, with --exit-code alone,
130 ended by Ctrl-C.

Examples:
  burgee --data .burgee apply state.json
  BURGEE_KEY=... burgee --url https://burgee.example.com feature list
  AWS_PROFILE=ops burgee --table burgee-prod-Table-EXAMPLE key create ci --permission READ

In a clone of the repository use "npm run --silent admin --" instead of "burgee".`;

export function createProgram(): Command {
  return newCommand("burgee")
    .description("Manages the projects, features and API keys of a Burgee service.")
    .addOption(
      new Option("--data <dir>", "the data is in this local folder")
        .argParser(notEmpty)
        .conflicts("endpoint"),
    )
    .option("--endpoint <url>", "the data is in the DynamoDB at this address", toEndpointUrl)
    .option("--table <name>", 'the name of the table (default: TABLE_NAME, or "burgee")', notEmpty)
    .addOption(
      new Option("--url <url>", "use the API at this address, with the key in BURGEE_KEY")
        .argParser(toServiceUrl)
        .conflicts(["data", "endpoint", "table"]),
    )
    .option("--json", "print the result as JSON, for scripts")
    .version(packageJson.version, "--version", "print the version")
    .addHelpText("after", notes)
    .addCommand(applyCommand())
    .addCommand(exportCommand())
    .addCommand(keyCommands())
    .addCommand(projectCommands())
    .addCommand(featureCommands())
    .addCommand(guardCommands())
    .addCommand(historyCommand())
    .addCommand(importFlagdCommand())
    .addCommand(importUnleashCommand())
    .addCommand(pushCommand());
}

/** `help feature rollout`: Commander would drop all words but the first. */
function helpAsOption(given: readonly string[]): readonly string[] {
  const [first, ...words] = given;
  return first === "help" && words.length > 1 ? [...words, "--help"] : given;
}

/** Runs a command, and returns its exit code. */
export async function run(given: readonly string[]): Promise<typeof process.exitCode> {
  const program = createProgram();
  try {
    await program.parseAsync(helpAsOption(given), { from: "user" });
    return process.exitCode;
  } catch (error) {
    // The parser has reported its own errors. An error without an explanation is a defect, so its stack is printed.
    if (!(error instanceof CommanderError)) {
      const line = explain(error, program.opts());
      note(line === undefined ? inspect(error) : `burgee: ${line}`);
      const body = bodyOfError(error);
      if (program.opts().json && body !== undefined) printJson(body);
    }
    return exitCodeOf(error);
  }
}
