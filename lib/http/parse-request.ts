/**
 * Parses a request for its route: the parameters of the path, the options, and the body. Refuses other options where the
 * route writes.
 */
import { ContentTypeError, PayloadTooLarge, ValidationError } from "../contract/errors.ts";
import { findExcess, findJsonIssues, type ValueIssue } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import { summarise, validate } from "../contract/validate.ts";
import type { HttpRequest } from "./event.ts";
import { type DeclaredOption, declaredOptions, type OptionName, type RequestOptions } from "./options.ts";
import type { PathParameters, Route, RouteBody } from "./route.ts";

/** Returns the parameters as API Gateway has decoded them. Decoding again would turn the name "100%25" into "100%". */
export function pathParametersOf(
  { pathParameters, rawPath }: HttpRequest,
  { path }: Route<never>,
): PathParameters {
  const names = [...path.matchAll(/\{(.+?)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries(
    names.map((name) => {
      const value = pathParameters[name];
      if (value === undefined) {
        throw new ValidationError(`Malformed percent-encoding in the path: "${rawPath}"`);
      }
      return [name, value];
    }),
  );
}

/** Validates the options before authorisation, because `dryRun` and `Prefer` decide which permission the path needs. */
export function parseOptions(
  request: HttpRequest,
  { method, options: accepted = [] }: Pick<Route<never>, "method" | "options">,
): RequestOptions {
  if (method !== "GET") refuseOtherOptions(request, accepted);
  const values = declaredOptions.map(([name, option]) => {
    const text = accepted.includes(name) ? sentText(request, option) : undefined;
    return [name, text === undefined ? option.absent : option.parse(text)];
  });
  return Object.fromEntries(values) as RequestOptions;
}

/**
 * Ignores no option that a caller relies on: a write refuses a misspelt `dryRun`, and an `If-Match` without an effect.
 */
function refuseOtherOptions(request: HttpRequest, accepted: readonly OptionName[]): void {
  refuseUnknownParameters(request, accepted);
  refuseUnknownHeaders(request);
  for (const [name, option] of declaredOptions) {
    if (!accepted.includes(name) && option.whyNotAccepted) refuseUnlessAbsent(request, option);
  }
}

function refuseUnknownParameters({ query }: HttpRequest, accepted: readonly OptionName[]): void {
  const inQuery = declaredOptions.filter(
    ([name, option]) => option.in === "query" && accepted.includes(name),
  );
  const known = inQuery.map(([, { name }]) => name);
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ValidationError(
    `Unknown query parameter "${unknown}"; this route accepts ${known.join(" and ") || "none"}`,
  );
}

/** A misspelt `Burgee-Guard` would leave a change without its guard. */
function refuseUnknownHeaders({ headers }: HttpRequest): void {
  const known = declaredOptions.map(([, { name }]) => name.toLowerCase());
  const unknown = Object.keys(headers).find((name) => name.startsWith("burgee-") && !known.includes(name));
  if (unknown !== undefined) throw new ValidationError(`Unknown header "${unknown}"`);
}

function refuseUnlessAbsent(request: HttpRequest, option: DeclaredOption): void {
  const text = sentText(request, option);
  if (text !== undefined && !meansAbsent(text, option)) {
    throw new ValidationError(`${option.name} is not accepted here: ${option.whyNotAccepted}`);
  }
}

/** Whether a header means the same as its absence, such as `Prefer: handling=lenient`. A malformed one does not. */
function meansAbsent(text: string, { parse, absent }: DeclaredOption): boolean {
  try {
    return parse(text) === absent;
  } catch {
    return false;
  }
}

function sentText({ query, headers }: HttpRequest, option: DeclaredOption): string | undefined {
  return option.in === "query" ? query[option.name] : headers[option.name.toLowerCase()];
}

/** Checks the size and the media type of the body, and validates its content by the schema of the route. */
export function parseBody(
  request: HttpRequest,
  { accepts, schema, isOptional }: RouteBody<unknown>,
): unknown {
  const { body, isBase64Encoded } = request;
  if (isOptional && body === "") return {};
  if (Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8") > limits.bodyBytes) {
    throw new PayloadTooLarge(`The body is larger than ${limits.bodyBytes / 1024} KiB`);
  }
  requireMediaType(request, accepts);
  const input = parseJson(decode(body, isBase64Encoded));
  const excess = findExcess(input);
  if (excess) throw invalid([excess]);
  const jsonIssues = findJsonIssues(input);
  const { value, issues = [] } = validate(schema, input);
  const schemaIssues = issues.filter(({ path }) => jsonIssues.every((issue) => issue.path !== path));
  const details = [...jsonIssues, ...schemaIssues].slice(0, limits.listedIssues);
  if (details.length > 0) throw invalid(details);
  return value;
}

function invalid(details: readonly ValueIssue[]): ValidationError {
  return new ValidationError(`The body is invalid: ${summarise(details)}`, { details });
}

/** A refusal lists the supported types: RFC 9110 section 15.5.16, RFC 5789 section 2.2. */
function requireMediaType({ method, headers: sent }: HttpRequest, accepts: readonly string[]): void {
  const headers = { [method === "PATCH" ? "accept-patch" : "accept"]: accepts.join(", ") };
  const encoding = sent["content-encoding"]?.trim() ?? "";
  if (encoding !== "" && encoding.toLowerCase() !== "identity") {
    throw new ContentTypeError(`Content-Encoding "${encoding}" is not supported; send the body unencoded`, {
      headers: { ...headers, "accept-encoding": "identity" },
    });
  }
  const mediaType = sent["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (!accepts.includes(mediaType ?? "")) {
    throw new ContentTypeError(`The Content-Type must be ${accepts.join(" or ")}`, { headers });
  }
}

/**
 * API Gateway encodes bodies of some types, such as `application/json-patch+json`, in base64. Only the flag says which.
 */
function decode(body: string, isBase64Encoded: boolean): string {
  if (!isBase64Encoded) return body.replace(/^\uFEFF/, "");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(body, "base64"));
  } catch (cause) {
    throw new ValidationError("The body is not valid UTF-8", { cause });
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === "") throw new ValidationError("The body is empty");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ValidationError("The body is not valid JSON", { cause });
  }
}
