/** The options of a request besides its path and body: query parameters and headers. */
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { VariantForm } from "../contract/variants.ts";
import type { Precondition } from "../features/etag.ts";
import type { HttpRequest } from "./event.ts";

/** The OpenAPI document quotes the comments. */
export interface RequestOptions {
  /**
   * With `true` the request is validated and authorised as usual, and nothing is written: the response is 200 and shows
   * what the request would do. Its `etag` is that of what is stored.
   */
  dryRun: boolean;
  /** Whether the variants are a list (`index`) or an object keyed by name (`name`), in a patch and in the response. */
  by: VariantForm;
  /**
   * With `handling=strict` (RFC 7240) a dry run of a patch that would fail has the status and the body of that failure.
   * Other preferences are ignored.
   */
  strict: boolean;
  /**
   * ETags in quotes, as in `"RalOL-DCObJHdGvp"`: those of the GET at this path, or of a dry run. If none of them is
   * current, the response is 412 and nothing is written. `*` matches any state. On a retry with the same
   * `Idempotency-Key` they are compared with the state before the request's own writes.
   */
  precondition: Precondition | undefined;
  /**
   * Identifies the request, for example a random UUID. After a timeout, a lost connection or a failure halfway, retry
   * with the same key: environments that the request has patched are skipped, and the response is that of one complete
   * run. A key is remembered for at least 24 hours in every environment that the request changed. It is scoped to the
   * name of the API key, so it survives rotation. Reusing the key with a different body, path or `by` is refused with
   * 409 if the first request has patched an environment of the second. Other reuse is not detected: use a new key for
   * each request.
   */
  idempotencyKey: string | undefined;
}

/** The query parameters and headers that a route accepts. Every route that writes accepts `dryRun`. */
export interface AcceptedOptions {
  query?: readonly ("dryRun" | "by")[];
  headers?: readonly ("prefer" | "if-match" | "idempotency-key")[];
}

/** Ignores what the route does not accept. */
export function readOptions({ query, headers }: HttpRequest, accepted: AcceptedOptions): RequestOptions {
  const { dryRun, by } = only(accepted.query, query);
  const { prefer, "if-match": ifMatch, "idempotency-key": key } = only(accepted.headers, headers);
  return {
    dryRun: readDryRun(dryRun),
    by: readForm(by),
    strict: isStrict(prefer),
    precondition: readPrecondition(ifMatch),
    idempotencyKey: readIdempotencyKey(key),
  };
}

/** For a route that writes: if a misspelt `dryRun` were ignored, the request would write. */
export function refuseUnknownParameters({ query }: HttpRequest, accepted: AcceptedOptions): void {
  const known: readonly string[] = accepted.query ?? [];
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ValidationError(
    `Unknown query parameter "${unknown}"; this route accepts ${known.join(" and ")}`,
  );
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

/** What stands between two commas; a comma in a quoted string separates nothing. */
const preference = /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^",])+/g;

/** Whether a value of Prefer has `handling=strict`. Of a preference given twice the first counts (RFC 7240 section 2). */
function isStrict(prefer = ""): boolean {
  const handling = prefer.match(preference)?.find((each) => /^\s*handling\s*=/i.test(each));
  return handling !== undefined && /=\s*(?:strict|"strict")\s*(?:;|$)/i.test(handling);
}

function readPrecondition(ifMatch: string | undefined): Precondition | undefined {
  if (ifMatch === undefined) return undefined;
  const etags = parseEntityTags(ifMatch);
  if (!etags) throw new ValidationError('If-Match must be * or ETags in quotes, as in "abc"');
  // RFC 9110 section 13.1.1: a weak ETag never matches here.
  return etags === "*" ? etags : etags.filter(({ isWeak }) => !isWeak).map(({ etag }) => etag);
}

export interface EntityTag {
  etag: string;
  isWeak: boolean;
}

/** One member of a list, which may be empty (RFC 9110 section 5.6.1), and the comma or the end after it. */
const member = /[ \t]*(?:(W\/)?"([!#-~\u0080-\u00ff]*)"[ \t]*)?(?:,|$)/y;

/** The value of If-Match or If-None-Match (RFC 9110 section 8.8.3); undefined if it is malformed. */
export function parseEntityTags(value: string): "*" | EntityTag[] | undefined {
  if (value.trim() === "*") return "*";
  const found: EntityTag[] = [];
  member.lastIndex = 0;
  while (member.lastIndex < value.length) {
    const match = member.exec(value);
    if (!match) return undefined;
    const [, weak, etag] = match;
    if (etag !== undefined) found.push({ etag, isWeak: weak !== undefined });
  }
  return found.length > 0 ? found : undefined;
}

function readIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined || (/^[!-~]+$/.test(key) && key.length <= limits.idempotencyKeyLength)) return key;
  throw new ValidationError(
    `Idempotency-Key must have 1 to ${limits.idempotencyKeyLength} visible ASCII characters, without spaces`,
  );
}
