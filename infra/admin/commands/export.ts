/** `export [FILE]`: everything as a state file, or one environment as the document that an SDK loads. */
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type Command, Option } from "commander";
import type { Session } from "../../../lib/store/session.ts";
import { emptyName } from "../../json-file.ts";
import { Refusal, UsageError } from "../../refusal.ts";
import { command, type Options, onTable } from "../command.ts";
import { toFlagd } from "../export/flagd.ts";
import { type Scope, selectFeatures } from "../export/select.ts";
import { toUnleash } from "../export/unleash.ts";
import { toContent, toState } from "../plan/content.ts";
import { danglingIn } from "../plan/refuse-dangling.ts";
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
The same content always gives the same text. The file has the hashes of API keys, as only these are stored;
applied elsewhere, it makes the same keys valid there.

With --as, print the features of one environment in the format that the SDKs of flagd (flag definitions) or
Unleash (/api/client/features) load, without keys or hashes. Every feature is on, for everyone; its variants
decide, with their weights, stickiness, overrides and payloads. What the format cannot express is reported on
the standard error; with --strict, nothing is exported if an SDK would evaluate a feature differently.`;

/** Omitting these changes what an SDK evaluates; omitting tags, for example, does not. */
const decisive = new Set(["payload", "stickiness", "overrides"]);

export function exportCommand(): Command {
  return command(
    "export",
    "Print all projects, features and API keys as a state file, or features for an SDK",
    {
      details,
      examples: [
        ["export state.json", "save everything to a file"],
        ["export | jq '.features[].name'", "pipe it to another program"],
        ["export --as flagd --environment production flags.json", "the flag definitions of flagd"],
        ["export --as unleash --environment production --project web", "what an Unleash SDK loads"],
      ],
    },
  )
    .argument("[file]", 'write to this file instead; "-" for standard output')
    .addOption(
      new Option("--as <format>", "print a document for an SDK instead").choices(Object.keys(converters)),
    )
    .option("--environment <name>", "with --as: the variants of this environment")
    .option("--project <id>", "with --as: only the features of this project")
    .option("--strict", "with --as: export nothing if an SDK would evaluate a feature differently")
    .action(onTable(exportAll));
}

async function exportAll(session: Session, options: ExportOptions, file?: string): Promise<void> {
  if (file === "") throw new UsageError(emptyName);
  const { as, environment, project, strict } = options;
  if (as === undefined) {
    if (environment === undefined && project === undefined && !strict) return exportState(session, file);
    throw new UsageError("--environment, --project and --strict need --as: a state file has everything");
  }
  if (environment === undefined) {
    throw new UsageError("--as needs --environment: a document covers one environment");
  }
  const all = toContent(await readAll(session));
  const omissions = createOmissions();
  const scope = { environment, project };
  const document = converters[as](selectFeatures(all, scope, omissions), scope, omissions);
  const leftOut = omissions.list();
  if (leftOut.length > 0) note(formatLeftOut(leftOut, "not as stored"));
  if (strict && leftOut.some(({ what }) => decisive.has(what))) {
    throw new Refusal("nothing was exported, because an SDK would evaluate a feature differently");
  }
  write(document, file);
}

async function exportState(session: Session, file?: string): Promise<void> {
  const all = toContent(await readAll(session));
  const dangling = danglingIn(all);
  if (dangling.length > 0) {
    note(`The stored state is inconsistent, and \`apply\` will refuse it:\n${andMore(dangling, 20, "  ")}`);
  }
  // Contains the hashes of keys, so only its owner may read it.
  write(toState(all), file, 0o600);
}

function write(content: object, file: string | undefined, mode?: number): void {
  if (file === undefined || file === "-") {
    printJson(content);
    return;
  }
  const text = `${JSON.stringify(content, null, 2)}\n`;
  try {
    const old = statSync(file, { throwIfNoEntry: false });
    // A device such as /dev/null, a pipe, or a link to a missing file must stay.
    const isSpecial = !old?.isFile() && lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    if (isSpecial) writeFileSync(file, text, { mode });
    else replaceFile(old ? realpathSync(file) : file, text, old, mode);
  } catch (error) {
    throw new Refusal(`${file} cannot be written: ${(error as Error).message}`);
  }
  note(`Written to ${file}.`);
}

/** A crash or a full disk leaves the old file as it was, unless it cannot be replaced. */
function replaceFile(file: string, text: string, old: Stats | undefined, mode: number | undefined): void {
  const temporary = path.join(path.dirname(file), `burgee-export-${randomUUID()}`);
  try {
    writeFileSync(temporary, text, { mode: mode ?? old?.mode, flag: "wx", flush: true });
    // The umask limits the mode of a new file.
    if (old && mode === undefined) chmodSync(temporary, old.mode);
    if (old) keepOwner(temporary, old);
    renameSync(temporary, file);
  } catch (error) {
    if (!old || !isIrreplaceable(error as NodeJS.ErrnoException)) throw error;
    if (mode !== undefined) chmodSync(file, mode);
    writeFileSync(file, text);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Only root may give files away, and in a container not even root. */
function keepOwner(file: string, { uid, gid }: Stats): void {
  try {
    chownSync(file, uid, gid);
  } catch {}
}

/** A mount, such as a file of a container's host, or a file in a read-only folder. */
function isIrreplaceable({ code = "" }: NodeJS.ErrnoException): boolean {
  return ["EBUSY", "EXDEV", "EACCES", "EPERM", "EROFS"].includes(code);
}
