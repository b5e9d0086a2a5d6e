/** Previews a change of a feature for a command, asks, and makes exactly what was shown. */
import * as z from "zod/mini";
import { NoAccessError, PreconditionFailed } from "../../../../lib/contract/errors.ts";
import { requireConfirmation } from "../../../cli/confirm.ts";
import { explain } from "../../../cli/explain.ts";
import { commandToPaste } from "../../../cli/how-started.ts";
import { note, print, printJson } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal, UsageError } from "../../../cli/refusal.ts";
import { type Api, type ApiRequest, type ApiResponse, request, requireEtag } from "../../api/api.ts";
import { burgeeHeaders } from "../../api/headers.ts";
import { isChangeStored } from "../../api/outcomes.ts";
import type { FeatureOptions } from "../api/find.ts";
import { sendWrite } from "../api/send-write.ts";
import type { CommandOptions } from "../command.ts";
import { changeOptionsGiven } from "./change-command.ts";
import {
  formatChanged,
  isChanged,
  noteHintsOfUnchanged,
  type Preview,
  permissionRefusal,
  previewSchema,
  printDryRun,
} from "./preview.ts";

interface RequestedChange {
  method: ApiRequest["method"];
  /** The path of the request, without a query. */
  path: string;
  body?: unknown;
  /** The reason that is stored if the operator gives none. */
  reason?: string | undefined;
  /** The ETag of the state from which the command made the body: with --yes too, it is refused if that has changed since. */
  ifMatch?: string;
  /** What the change does: "Undo the change ...", "Switch ... on". */
  title: string;
  feature: string;
  /** The words of the command that makes exactly this change, without the options of every change. */
  commandWords: readonly string[];
  /** Returns what to print if something was written. */
  textIfWritten(where: string, change: string): string;
  /** What to print if there is nothing to do. */
  textIfUnchanged: string;
}

export async function makeChange(
  api: Api,
  options: CommandOptions & FeatureOptions,
  requested: RequestedChange,
): Promise<void> {
  if (options.for !== undefined && options.guard === undefined) throw new UsageError("--for needs --guard");
  const { method, path, body, title } = requested;
  const headers = {
    // A strict dry run needs the permissions of the change itself.
    ...(!options.dryRun && { prefer: "handling=strict" }),
    ...burgeeHeaders({ ...options, reason: options.reason ?? requested.reason }),
  };
  const change = { method, path, headers, ...(body !== undefined && { body }) };
  const refused = (error: unknown) => {
    throw refusalOf(error, options, requested);
  };

  const planned = await preview(api, change, requested.ifMatch).catch(refused);
  if (options.dryRun) return printDryRun(title, planned, options);
  // What the operator confirms is the change of the state that was shown. With --yes it is the change of any state, unless
  // the body was made from one.
  const ifMatch = options.yes && requested.ifMatch === undefined ? undefined : requireEtag(planned.headers);
  if (planned.body.environments.some(isChanged)) {
    note(formatChanged(planned.body));
    await requireConfirmation(`${title}?`, { yes: options.yes });
  }
  const sent = { ...change, headers: withIfMatch(change, ifMatch) };
  const written = await sendWrite(api, z.unknown(), sent).catch(refused);
  if (options.json) printJson(written.raw);
  else printWritten(requested, planned.body, written.headers);
  noteHintsOfUnchanged(planned.body);
}

async function preview(api: Api, change: ApiRequest, ifMatch: string | undefined) {
  const dryRun = { ...change, path: `${change.path}?dryRun=true`, headers: withIfMatch(change, ifMatch) };
  return request(api, previewSchema, dryRun).catch(async (error) => {
    throw (await explainMissingPermissions(api, dryRun, error)) ?? error;
  });
}

function withIfMatch({ headers }: ApiRequest, etag: string | undefined) {
  return { ...headers, ...(etag !== undefined && { "if-match": etag }) };
}

/** Explains the error, with the command that tries again. Returns an error that has no explanation as it is. */
function refusalOf(
  error: unknown,
  options: CommandOptions,
  { feature, commandWords }: RequestedChange,
): unknown {
  const again = `to try again, run: ${commandToPaste(options, [...commandWords, ...changeOptionsGiven(options)])}`;
  const isConcurrent = error instanceof PreconditionFailed && error.details === undefined;
  const why = isConcurrent
    ? `"${feature}" was changed concurrently, and nothing was written; ${again}`
    : explain(error, options, again);
  return why === undefined ? error : new Refusal(why, { cause: error });
}

function printWritten(
  { feature, textIfWritten, textIfUnchanged }: RequestedChange,
  { environments }: Preview,
  { "burgee-change": change, "burgee-environments": outcomes }: ApiResponse["headers"],
): void {
  const planned = environments.filter(isChanged).map(({ environment }) => environment);
  const where = outcomes === undefined ? planned : writtenIn(outcomes);
  if (environments.length === 0)
    print(`"${printable(feature)}" has no environments, so there is nothing to change.`);
  else print(change === undefined ? textIfUnchanged : textIfWritten(where.map(printable).join(", "), change));
}

/**
 * A refusal by the path has no details, and may name several permissions. A dry run that is not strict says which of them
 * the change needs. Returns undefined if the key may not read either.
 */
async function explainMissingPermissions(
  api: Api,
  dryRun: ApiRequest,
  error: unknown,
): Promise<Refusal | undefined> {
  if (!(error instanceof NoAccessError) || error.details !== undefined) return undefined;
  const { prefer: _, ...headers } = dryRun.headers ?? {};
  const preview = await request(api, previewSchema, { ...dryRun, headers }).catch(() => undefined);
  const missing = preview?.body.missingPermissions ?? [];
  return missing.length > 0 ? permissionRefusal(missing, error) : undefined;
}

/** Parses the header `burgee-environments`. Names are encoded, as they may contain the separators. */
function writtenIn(header: string): string[] {
  const pairs = header.split(", ").map((pair) => pair.split("="));
  const written = pairs.filter(([, outcome = ""]) => isChangeStored(outcome));
  return written.map(([name = ""]) => decodeURIComponent(name));
}
