/** Writes Burgee's own headers, such as `Burgee-Reason`, for the commands, the MCP server and the page /patch. */

/** The values as texts, or undefined for a header that is not sent. */
export interface OwnOptions {
  reason: string | undefined;
  /** The largest share of users that may move in an environment. */
  mostMoves: string | undefined;
  /** The name of the guard whose trip undoes the change. */
  guard: string | undefined;
  /** How long the change is under the guard, such as `30m`. */
  for: string | undefined;
}

/** The options that make a change strict. The page cannot import lib/http/options.ts, so a test compares the two. */
export const strictOwnOptions = ["mostMoves"] as const satisfies readonly (keyof OwnOptions)[];

/** Invalid texts pass; the API refuses them. `lib/http/option-values.ts` reads the headers, and a test compares both. */
const toTexts: Readonly<Record<string, (options: Partial<OwnOptions>) => string | undefined>> = {
  // People read it in curl commands. HTTP removes a space at an end.
  "Burgee-Reason": ({ reason }) => reason?.replaceAll(/^ | $|[^ -$&-~]/gu, encodeURIComponent),
  "Burgee-Most-Moves": ({ mostMoves }) => mostMoves,
  "Burgee-Guard": ({ guard, for: time = "30m" }) =>
    guard === undefined ? undefined : `${encodeURIComponent(guard)}; for=${time}`,
};
export const ownHeaderNames = Object.keys(toTexts);

export function ownHeaders(options: Partial<OwnOptions>): Record<string, string> {
  const headers = Object.entries(toTexts).map(([name, toText]) => [name.toLowerCase(), toText(options)]);
  return Object.fromEntries(headers.filter(([, text]) => text !== undefined));
}
