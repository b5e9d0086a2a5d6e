/** The options of a request besides its path and body: dryRun, by, If-Match, Idempotency-Key, Prefer. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { VariantForm } from "../contract/variants.ts";
import type { Precondition } from "../features/etag.ts";
import { header, parseEntityTags } from "./headers.ts";

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

export type OptionName = keyof RequestOptions;

const readers: { [Name in OptionName]: (event: APIGatewayProxyEventV2) => RequestOptions[Name] } = {
  dryRun: readDryRun,
  by: readForm,
  strict: readStrict,
  precondition: readPrecondition,
  idempotencyKey: readIdempotencyKey,
};

const defaults: RequestOptions = {
  dryRun: false,
  by: "index",
  strict: false,
  precondition: undefined,
  idempotencyKey: undefined,
};

/** What the route does not accept is ignored. */
export function readOptions(
  event: APIGatewayProxyEventV2,
  names: readonly OptionName[] = [],
): RequestOptions {
  const options = names.map((name) => ({ [name]: readers[name](event) }));
  return Object.assign({ ...defaults }, ...options);
}

/** If a misspelt `dryRun` were ignored, the request would write. */
export function refuseMisspeltParameters(event: APIGatewayProxyEventV2): void {
  for (const name of Object.keys(queryOf(event))) {
    if (name === "dryRun" || name === "by") continue;
    // In "amp;dryRun" the separator was escaped for HTML, in "dryRun=true" and "a=b&dryRun" others were percent-encoded.
    for (const part of name.split(/[;=&]/)) {
      const letters = part.replace(/[^\p{L}]+/gu, "").toLowerCase();
      const meant = letters === "by" ? "by" : isWithinOneEdit("dryrun", letters) ? "dryRun" : undefined;
      if (meant) throw new ValidationError(`Unknown query parameter "${name}"; did you mean ${meant}?`);
    }
  }
}

/** Equal, or after one letter is inserted, removed, replaced, or swapped with its neighbour. */
function isWithinOneEdit(word: string, text: string): boolean {
  if (Math.abs(word.length - text.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === text[start]) start++;
  let end = 0;
  while (end < Math.min(word.length, text.length) - start && word.at(-1 - end) === text.at(-1 - end)) end++;
  const [left, right] = [word.slice(start, word.length - end), text.slice(start, text.length - end)];
  const isSwap = left.length === 2 && left[0] === right[1] && left[1] === right[0];
  return isSwap || (left.length <= 1 && right.length <= 1);
}

function readDryRun(event: APIGatewayProxyEventV2): boolean {
  const { dryRun = "false" } = queryOf(event);
  if (dryRun !== "true" && dryRun !== "false") throw new ValidationError("dryRun must be true or false");
  return dryRun === "true";
}

function readForm(event: APIGatewayProxyEventV2): VariantForm {
  const { by = "index" } = queryOf(event);
  if (by !== "index" && by !== "name") throw new ValidationError("by must be index or name");
  return by;
}

/** API Gateway delivers the query in both forms; a hand-made event may have a dryRun in one of them only. */
function queryOf({ rawQueryString, queryStringParameters }: APIGatewayProxyEventV2) {
  return { ...parseQuery(rawQueryString), ...queryStringParameters };
}

/** Joins repeated parameters by commas. */
export function parseQuery(text: string): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(values);
}

/** RFC 7240: preferences are separated by commas, their parameters by semicolons; an unknown one is ignored. */
function readStrict(event: APIGatewayProxyEventV2): boolean {
  const preferences = (header(event, "prefer") ?? "")
    .split(",")
    .map((preference) => preference.split(";")[0]);
  return preferences.some((preference) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(preference ?? ""));
}

function readPrecondition(event: APIGatewayProxyEventV2): Precondition | undefined {
  const ifMatch = header(event, "if-match");
  if (ifMatch === undefined) return undefined;
  const etags = parseEntityTags(ifMatch);
  if (!etags) throw new ValidationError('If-Match must be * or ETags in quotes, as in "abc"');
  // RFC 9110 section 13.1.1: a weak ETag never matches here.
  return etags === "*" ? etags : etags.filter(({ isWeak }) => !isWeak).map(({ etag }) => etag);
}

function readIdempotencyKey(event: APIGatewayProxyEventV2): string | undefined {
  const key = header(event, "idempotency-key");
  if (key === undefined || (/^[!-~]+$/.test(key) && key.length <= limits.idempotencyKeyLength)) return key;
  throw new ValidationError(
    `Idempotency-Key must have 1 to ${limits.idempotencyKeyLength} visible ASCII characters, without spaces`,
  );
}
