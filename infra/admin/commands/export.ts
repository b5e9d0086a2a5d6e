/** `export [FILE]` */
import { writeFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { Session } from "../../../lib/store/session.ts";
import { Refusal, UsageError } from "../../refusal.ts";
import { command, type Options, onTable } from "../command.ts";
import { toFlagd } from "../export/flagd.ts";
import { type Scope, selectFeatures } from "../export/select.ts";
import { toUnleash } from "../export/unleash.ts";
import { strangersOf } from "../plan/refuse-strangers.ts";
import { toState, toTarget } from "../plan/target.ts";
import { readAll } from "../read-all.ts";
import { andMore } from "../terminal/and-more.ts";
import { note, printJson } from "../terminal/output.ts";
import { createOmissions, formatLeftOut } from "../unleash/left-out.ts";

const converters = { flagd: toFlagd, unleash: toUnleash };

interface ExportOptions extends Options, Partial<Scope> {
  as?: keyof typeof converters;
  strict?: boolean;
}

const details = `
The same content always gives the same text. What a key was is not known, so its hash stands in the file;
applied elsewhere, it makes the same key valid there.

With --as, print the features of one environment as the SDKs of flagd (flag definitions) or Unleash (what
/api/client/features answers) load them: without keys or hashes. Every feature is on, for everyone: what decides
are the variants, with their weights, stickiness, overrides and payloads. What the format cannot express is
reported on the standard error; with --strict, nothing is exported if an SDK would answer otherwise.`;

/** What decides an SDK's answer, unlike tags for example. */
const decisive = new Set(["payload", "stickiness", "overrides"]);

export function exportCommand(): Command {
  return command(
    "export",
    "Print all projects, features and API keys as a state file, or features for an SDK",
    {
      details,
      examples: [
        ["export state.json", "keep what there is in a file"],
        ["export | jq '.features[].name'", "print it for another program"],
        ["export --as flagd --environment production flags.json", "the flag definitions of flagd"],
        ["export --as unleash --environment production --project web", "what an Unleash SDK loads"],
      ],
    },
  )
    .argument("[file]", "write to this file instead")
    .addOption(
      new Option("--as <format>", "print a document for an SDK instead").choices(Object.keys(converters)),
    )
    .option("--environment <name>", "with --as: the variants of this environment")
    .option("--project <id>", "with --as: only the features of this project")
    .option("--strict", "with --as: export nothing if an SDK would answer otherwise than stored")
    .action(onTable(exportAll));
}

async function exportAll(session: Session, options: ExportOptions, file?: string): Promise<void> {
  const { as, environment, project, strict } = options;
  if (as === undefined) {
    if (environment === undefined && project === undefined && !strict) return exportState(session, file);
    throw new UsageError("--environment, --project and --strict are for --as: a state file has everything");
  }
  if (environment === undefined) {
    throw new UsageError("--as needs --environment: a document is of one environment");
  }
  const all = toTarget(await readAll(session));
  const omissions = createOmissions();
  const scope = { environment, project };
  const document = converters[as](selectFeatures(all, scope, omissions), scope, omissions);
  const leftOut = omissions.list();
  if (leftOut.length > 0) note(formatLeftOut(leftOut, "not as stored"));
  if (strict && leftOut.some(({ what }) => decisive.has(what))) {
    throw new Refusal("nothing was exported, because an SDK would not answer as stored");
  }
  write(document, file);
}

async function exportState(session: Session, file?: string): Promise<void> {
  const all = toTarget(await readAll(session));
  const strangers = strangersOf(all);
  if (strangers.length > 0) {
    note(`This does not fit together, and \`apply\` will refuse it:\n${andMore(strangers, 20, "  ")}`);
  }
  // Contains the hashes of keys, so only its owner may read it.
  write(toState(all), file, 0o600);
}

function write(content: object, file: string | undefined, mode?: number): void {
  if (file === undefined) {
    printJson(content);
    return;
  }
  try {
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode });
  } catch (error) {
    throw new Refusal(`${file} cannot be written: ${(error as Error).message}`);
  }
  note(`Written to ${file}.`);
}
