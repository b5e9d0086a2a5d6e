/** Parses the parameters of the path and the options that a route accepts, and refuses others where the route writes. */
import { ValidationError } from "../contract/errors.ts";
import type { HttpRequest } from "./event.ts";
import { type DeclaredOption, declaredOptions, type OptionName, type RequestOptions } from "./options.ts";
import type { PathParameters, Route } from "./route.ts";

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
