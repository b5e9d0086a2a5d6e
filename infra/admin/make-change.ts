/** Previews a change of a feature for a command, asks, and makes exactly what was shown. */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { afterColon } from "../../lib/contract/after-colon.ts";
import { NoAccessError, PreconditionFailed } from "../../lib/contract/errors.ts";
import { confirmed } from "../cli/confirm.ts";
import { explain } from "../cli/explain.ts";
import { note, print, printJson } from "../cli/output.ts";
import { printable } from "../cli/printable.ts";
import { Refusal, UsageError } from "../cli/refusal.ts";
import { typed } from "../cli/started.ts";
import { type Api, type ApiRequest, isApplied, request, responseOfApplied } from "../client/api.ts";
import { ownHeaders } from "../client/headers.ts";
import { changeOptionsGiven } from "./change-command.ts";
import type { CommandOptions } from "./command.ts";
import type { FeatureOptions } from "./feature-api.ts";
import { formatChanged, isChanged, permissionRefusal, previewSchema, printDryRun } from "./preview.ts";

interface Wanted {
  method: ApiRequest["method"];
  /** Without a query. */
  path: string;
  body?: unknown;
  /** The command has made the body from what is stored: with --yes too, it is refused if that has changed since. */
  isOfState?: true;
  /** The reason that is stored if the operator gives none. */
  reason?: string;
  /** The ETag of the state from which the body was made, if it is known. */
  ifMatch?: string | undefined;
  /** What the change does: "Undo the change ...", "Switch ... on". */
  title: string;
  feature: string;
  /** The words of the command that makes exactly this change, without the options of every change. */
  again: readonly string[];
  /** Returns what to print if something was written. */
  done(where: string, change: string): string;
  /** What to print if there is nothing to do. */
  nothing: string;
}

export async function makeChange(
  api: Api,
  options: CommandOptions & FeatureOptions,
  wanted: Wanted,
): Promise<void> {
  const { dryRun, json, yes } = options;
  if (options.for !== undefined && options.guard === undefined) throw new UsageError("--for needs --guard");
  const { method, path, body, isOfState, title, feature, done, nothing } = wanted;
  const again = `to try again, run: ${typed(options, [...wanted.again, ...changeOptionsGiven(options)])}`;
  const sent = body === undefined ? {} : { body };
  const headers = {
    // A strict dry run needs the permissions of the change itself.
    ...(!dryRun && { prefer: "handling=strict" }),
    ...ownHeaders({ ...options, reason: options.reason ?? wanted.reason }),
  };
  const ifMatch = wanted.ifMatch === undefined ? {} : { "if-match": wanted.ifMatch };
  const whileSame = <Result>(sending: Promise<Result>): Promise<Result> =>
    sending.catch((error) => {
      const isConcurrent = error instanceof PreconditionFailed && error.details === undefined;
      const why = isConcurrent
        ? `"${feature}" was changed concurrently, and nothing was written; ${again}`
        : explain(error, options, again);
      throw why === undefined ? error : new Refusal(why, { cause: error });
    });

  const dry = { method, path: `${path}?dryRun=true`, headers: { ...headers, ...ifMatch }, ...sent };
  const planned = await whileSame(
    request(api, previewSchema, dry).catch(async (error) => {
      throw (await missingRefusal(api, dry, error)) ?? error;
    }),
  );
  if (dryRun) return printDryRun(title, planned, options);
  const changed = planned.body.environments.filter(isChanged);
  if (changed.length > 0) {
    note(formatChanged(planned.body));
    await confirmed(`${title}?`, { yes });
  }
  // An answer counts for the state that was shown. With --yes any state will do, unless the body was made from one.
  const shown = yes && !isOfState ? {} : { "if-match": planned.headers.etag ?? "*" };
  // A retry after a lost response writes nothing twice.
  const once = { ...headers, ...shown, "idempotency-key": randomUUID() };
  const sending = request(api, z.unknown(), { method, path, headers: once, ...sent }).catch(asWritten);
  const written = await whileSame(sending);
  const { "burgee-change": change, "burgee-environments": outcomes } = written.headers;
  const where = outcomes === undefined ? changed.map(({ environment }) => environment) : writtenIn(outcomes);
  if (json) printJson(written.raw);
  else print(change === undefined ? nothing : done(where.map(printable).join(", "), change));
  for (const one of planned.body.environments)
    if (one.hint !== undefined && !isChanged(one))
      note(`${printable(one.environment)}: ${afterColon(one.hint)}`);
}

/** Throws the error, unless the change is stored and only its response is missing. */
function asWritten(error: unknown): Awaited<ReturnType<typeof request>> {
  if (!isApplied(error)) throw error;
  note(error.message);
  return responseOfApplied(error);
}

/**
 * A refusal by the path has no details, and may name several permissions. A dry run that is not strict says which of them
 * the change needs. Returns undefined if the key may not read either.
 */
async function missingRefusal(api: Api, dry: ApiRequest, error: unknown): Promise<Refusal | undefined> {
  if (!(error instanceof NoAccessError) || error.details !== undefined) return undefined;
  const { prefer: _, ...headers } = dry.headers ?? {};
  const preview = await request(api, previewSchema, { ...dry, headers }).catch(() => undefined);
  const missing = preview?.body.missingPermissions ?? [];
  return missing.length > 0 ? permissionRefusal(missing, error) : undefined;
}

/** Parses the header `burgee-environments`. Names are encoded, as they may contain the separators. */
function writtenIn(header: string): string[] {
  const pairs = header.split(", ").map((pair) => pair.split("="));
  const written = pairs.filter(([, outcome = ""]) => /^(already )?patched$/.test(outcome));
  return written.map(([name = ""]) => decodeURIComponent(name));
}
