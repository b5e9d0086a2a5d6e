/** Writes Burgee's own headers, such as `Burgee-Reason`, for the commands, the MCP server and the page /patch. */
import { defaultGuardSeconds, limits } from "../../../lib/contract/limits.ts";

/** The minutes for which a change may be under a guard; `usual` is the API's default. */
export const guardMinutes = {
  least: limits.leastGuardSeconds / 60,
  usual: defaultGuardSeconds / 60,
  most: limits.guardSeconds / 60,
};

/** Says why a text is not a number of minutes for a guard, or returns "". */
export function guardMinutesIssue(text: string): string {
  const { least, most } = guardMinutes;
  const isValid = /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
  return isValid ? "" : `must be a whole number from ${least} to ${most}`;
}

/** The values as texts, or undefined for a header that is not sent. */
export interface BurgeeOptions {
  reason: string | undefined;
  /** The largest share of users that may move in an environment. */
  mostMoves: string | undefined;
  /** The name of the guard whose trip undoes the change. */
  guard: string | undefined;
  /** How long the change is under the guard, such as `30m`; without it, the API's default. */
  for: string | undefined;
}

/**
 * Returns the percentage as a share, for `mostMoves`. Divided by 100 alone, 1.4 would give 0.013999999999999999, which 1.4 %
 * of the users exceed, and the API does not accept 1e-7.
 */
export function shareOfPercentage(percentage: string): string {
  return (Number(percentage) / 100).toFixed(9).replace(/\.?0+$/, "");
}

/** The options that make a change strict. The page cannot import lib/http/options.ts, so a test compares the two. */
export const strictBurgeeOptions = ["mostMoves"] as const satisfies readonly (keyof BurgeeOptions)[];

/** The options that have a header of their own: that of the guard has its time too. */
type HeaderOption = Exclude<keyof BurgeeOptions, "for">;

/** Invalid texts pass; the API refuses them. `lib/http/option-values.ts` parses the headers, and a test compares both. */
const headerOf: Readonly<
  Record<HeaderOption, { name: string; toText: (options: Partial<BurgeeOptions>) => string | undefined }>
> = {
  reason: {
    name: "Burgee-Reason",
    // Encodes as little as it can, as people read the header in curl commands. HTTP removes a space at an end.
    toText: ({ reason }) => reason?.replaceAll(/^ | $|[^ -$&-~]/gu, encodeURIComponent),
  },
  mostMoves: { name: "Burgee-Most-Moves", toText: ({ mostMoves }) => mostMoves },
  guard: {
    name: "Burgee-Guard",
    toText: ({ guard, for: time }) => {
      if (guard === undefined) return undefined;
      return encodeURIComponent(guard) + (time === undefined ? "" : `; for=${time}`);
    },
  },
};
export const burgeeHeaderNames = Object.values(headerOf).map(({ name }) => name);

export function burgeeHeaders(options: Partial<BurgeeOptions>): Record<string, string> {
  const headers = Object.values(headerOf).map(({ name, toText }) => [name.toLowerCase(), toText(options)]);
  return Object.fromEntries(headers.filter(([, text]) => text !== undefined));
}
