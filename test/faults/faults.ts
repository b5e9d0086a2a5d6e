/** What can go wrong with one call to the database. */
import type { Fate } from "../support/wire.ts";

export const faults: Readonly<Record<string, Fate>> = {
  "cut before": "cut before it is done",
  "cut after": "lose the answer",
  "cut within": "break off the answer",
  // The client gives a call up after 2.5 seconds, and repeats it.
  late: { afterMs: 3000 },
  // So the repetition is done first.
  overtaken: { beforeMs: 3000 },
  slow: { afterMs: 350 },
  "throughput exceeded": { error: "ProvisionedThroughputExceededException" },
  throttled: { error: "ThrottlingException" },
  "limit exceeded": { error: "RequestLimitExceeded" },
  "failed inside": { error: "InternalServerError", status: 500 },
  "expired token": { error: "ExpiredTokenException" },
};

/** Whether the fault strikes one call, or this one and all that follow. */
export const durations = ["once", "from then on"] as const;
export type Duration = (typeof durations)[number];
