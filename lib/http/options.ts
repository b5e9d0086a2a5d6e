/** The options of a request: query parameters and headers. */
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { VariantForm } from "../contract/variants.ts";
import type { Etags } from "../features/model.ts";
import type { Guard } from "../features/stamp.ts";
import type { HttpRequest } from "./event.ts";
import {
  isStrict,
  parseEtags,
  readGuard,
  readMostMoves,
  readReason,
  requireKnownPreferences,
} from "./headers.ts";

/** The OpenAPI document quotes the comments. */
export interface RequestOptions {
  /**
   * With `true` nothing is written: the response is 200 and shows what the request would do. A key that may read is
   * enough; `missingPermissions` lists what the request itself needs besides.
   */
  dryRun: boolean;
  /** Whether the variants are a list (`index`) or an object keyed by name (`name`), in a patch and in the response. */
  form: VariantForm;
  /**
   * With `handling=strict` (RFC 7240) a request that would fail in any environment, as it reads them at its start, writes
   * nothing; its dry run has the status and the body of that failure.
   */
  strict: boolean;
  /**
   * ETags in quotes, of a read or a dry run of the same path. If none is current, the response is 412 and nothing is
   * written. `*` matches any state. A retry with the same `Idempotency-Key` does not fail because of its own writes.
   */
  ifMatch: Etags | undefined;
  /** ETags in quotes. If one is current, a read returns 304 and a write 412, without writing. `*` matches what exists. */
  ifNoneMatch: Etags | undefined;
  /**
   * Identifies the request, for example a random UUID. After a timeout, a lost connection or a failure halfway, retry
   * with the same key: environments that the request has patched are skipped. It is recognised for
   * {@link limits.usableDays} days; with another body, `by` or path it is refused with 409, but at another feature, or for
   * another environment or all of them, it is a new request.
   */
  idempotencyKey: string | undefined;
  /**
   * Why the change is made. Up to {@link limits.reasonLength} characters, with all but visible ASCII and spaces
   * percent-encoded.
   */
  reason: string | undefined;
  /**
   * A guard, whose trip undoes the change, and for how long: `checkout-errors; for=30m`, from 1m to 24h, 30m by default.
   */
  underGuard: Guard | undefined;
  /**
   * The largest share of users that may move in an environment, from 0 to 1. Beyond it, or if the share cannot be computed,
   * the response is 409, and nothing is written, unless a concurrent change comes between two environments.
   */
  mostMoves: number | undefined;
}

export interface AcceptedOptions {
  query?: readonly ("dryRun" | "by" | "limit" | "after" | "with")[];
  headers?: readonly (
    | "prefer"
    | "if-match"
    | "if-none-match"
    | "idempotency-key"
    | "burgee-reason"
    | "burgee-most-moves"
    | "burgee-guard"
    | "accept-encoding"
  )[];
}

/** They are valid before the request is authorised, as they decide which permission it needs. */
export function readOptions({ query, headers }: HttpRequest, accepted: AcceptedOptions): RequestOptions {
  const { dryRun, by } = only(accepted.query, query);
  const {
    prefer,
    "if-match": ifMatch,
    "if-none-match": ifNoneMatch,
    "idempotency-key": key,
    "burgee-reason": reason,
    "burgee-most-moves": mostMoves,
    "burgee-guard": guard,
  } = only(accepted.headers, headers);
  return {
    dryRun: readDryRun(dryRun),
    form: readForm(by),
    // RFC 9110 section 13.1: a weak ETag may match in If-None-Match only.
    ifMatch: readEtags("If-Match", ifMatch, { weakToo: false }),
    ifNoneMatch: readEtags("If-None-Match", ifNoneMatch, { weakToo: true }),
    idempotencyKey: readIdempotencyKey(key),
    strict: isStrict(prefer),
    reason: readReason(reason),
    mostMoves: readMostMoves(mostMoves),
    underGuard: readGuard(guard),
  };
}

/** What a caller relies on is never dropped in silence: a request with a misspelt `dryRun` must not write. */
export function refuseOtherOptions(request: HttpRequest, accepted: AcceptedOptions): void {
  refuseUnknownParameters(request, accepted);
  refuseOtherHeaders(request, accepted);
}

function refuseUnknownParameters({ query }: HttpRequest, accepted: AcceptedOptions): void {
  const known: readonly string[] = accepted.query ?? [];
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ValidationError(
    `Unknown query parameter "${unknown}"; this route accepts ${known.join(" and ") || "none"}`,
  );
}

const whyNotAccepted = {
  "idempotency-key":
    "Idempotency-Key is not accepted here: the request is not remembered, and a retry has the same effect without it",
  "burgee-reason": "Burgee-Reason is not accepted here: the request is not in the list of changes",
  "burgee-most-moves": "Burgee-Most-Moves is not accepted here: the request moves no users",
  "burgee-guard": "Burgee-Guard is not accepted here: only a patch or a switch can be under a guard",
} as const;

function refuseOtherHeaders({ headers }: HttpRequest, accepted: AcceptedOptions): void {
  for (const name of ["idempotency-key", "burgee-reason", "burgee-most-moves", "burgee-guard"] as const) {
    const isRefused = headers[name] !== undefined && !accepted.headers?.includes(name);
    if (isRefused) throw new ValidationError(whyNotAccepted[name]);
  }
  requireKnownPreferences(headers.prefer);
}

function only(names: readonly string[] = [], values: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function readDryRun(dryRun = "false"): boolean {
  if (dryRun !== "true" && dryRun !== "false") throw new ValidationError("dryRun must be true or false");
  return dryRun === "true";
}

function readForm(by = "index"): VariantForm {
  if (by !== "index" && by !== "name") throw new ValidationError("by must be index or name");
  return by;
}

function readEtags(
  name: string,
  header: string | undefined,
  options: { weakToo: boolean },
): Etags | undefined {
  if (header === undefined) return undefined;
  const etags = parseEtags(header, options);
  if (!etags) throw new ValidationError(`${name} must be * or ETags in quotes, as in "abc"`);
  return etags;
}

function readIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined || (/^[!-~]+$/.test(key) && key.length <= limits.idempotencyKeyLength)) return key;
  throw new ValidationError(
    `Idempotency-Key must have 1 to ${limits.idempotencyKeyLength} visible ASCII characters, without spaces`,
  );
}
