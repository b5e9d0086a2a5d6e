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
export function ownHeaders({ reason, mostMoves, guard, for: time = "30m" }: Partial<OwnOptions>) {
  const headers = {
    // People read it in curl commands. HTTP removes a space at an end.
    "burgee-reason": reason?.replaceAll(/^ | $|[^ -$&-~]/gu, encodeURIComponent),
    "burgee-most-moves": mostMoves,
    "burgee-guard": guard === undefined ? undefined : `${encodeURIComponent(guard)}; for=${time}`,
  };
  const sent = Object.entries(headers).filter(([, text]) => text !== undefined);
  return Object.fromEntries(sent) as Record<string, string>;
}
