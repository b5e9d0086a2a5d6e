/**
 * Writes the headers of a change that are Burgee's own, for all that sends changes. The inverse of lib/http/option-values.ts, as
 * a test ensures.
 */

/** The values as texts; undefined for what is not sent. */
export interface OwnOptions {
  reason: string | undefined;
  /** The largest share of users for whom a change may make a difference. */
  mostMoves: string | undefined;
  /** The guard whose trip undoes the change, and for how long. */
  guard: string | undefined;
  for: string | undefined;
}

/** A text that is no value is refused by the API, or by what sends the header. */
const textOf: Readonly<Record<string, (options: Partial<OwnOptions>) => string | undefined>> = {
  // People read it in curl commands. HTTP removes a space at an end.
  "Burgee-Reason": ({ reason }) => reason?.replaceAll(/^ | $|[^ -$&-~]/gu, encodeURIComponent),
  "Burgee-Most-Moves": ({ mostMoves }) => mostMoves,
  "Burgee-Guard": ({ guard, for: time = "30m" }) =>
    guard === undefined ? undefined : `${encodeURIComponent(guard)}; for=${time}`,
};
export const ownHeaderNames = Object.keys(textOf);

export function ownHeaders(options: Partial<OwnOptions>): Record<string, string> {
  const headers = Object.entries(textOf).map(([name, toText]) => [name.toLowerCase(), toText(options)]);
  return Object.fromEntries(headers.filter(([, text]) => text !== undefined));
}
