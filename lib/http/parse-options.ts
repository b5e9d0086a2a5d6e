/** Parses the options that a route accepts, and refuses others where the route writes. */
import { ValidationError } from "../contract/errors.ts";
import type { HttpRequest } from "./event.ts";
import { type DeclaredOption, declaredOptions, type OptionName, type RequestOptions } from "./options.ts";

/** Validates the options before authorisation, because `dryRun` and `Prefer` decide which permission the path needs. */
export function parseOptions(request: HttpRequest, accepted: readonly OptionName[] = []): RequestOptions {
  const values = declaredOptions.map(([name, option]) => {
    const text = accepted.includes(name) ? sentText(request, option) : undefined;
    return [name, text === undefined ? option.absent : option.parse(text, request.query)];
  });
  return Object.fromEntries(values) as RequestOptions;
}

/**
 * Ignores no option that a caller relies on: a write refuses a misspelt `dryRun`, and an `If-Match` without an effect.
 */
export function refuseOtherOptions(request: HttpRequest, accepted: readonly OptionName[] = []): void {
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

/** A header that means the same as its absence, such as `Prefer: handling=lenient`, is accepted. */
function refuseUnlessAbsent(request: HttpRequest, option: DeclaredOption): void {
  const { name, absent, parse, whyNotAccepted } = option;
  const text = sentText(request, option);
  if (text !== undefined && parse(text, {}) !== absent)
    throw new ValidationError(`${name} is not accepted here: ${whyNotAccepted}`);
}

function sentText({ query, headers }: HttpRequest, option: DeclaredOption): string | undefined {
  return option.in === "query" ? query[option.name] : headers[option.name.toLowerCase()];
}
