/** The faults that can happen to a call to the database. */
import type { Fate } from "../support/wire.ts";

export const faults: Readonly<Record<string, Fate>> = {
  "cut before": "cut before it is done",
  "cut after": "lose the answer",
  "cut within": "break off the answer",
  "stalled within": "stall within the answer",
  // The client times a call out after 2.5 seconds, and retries it.
  late: { afterMs: 3000 },
  // So the retry arrives first.
  overtaken: { beforeMs: 3000 },
  slow: { afterMs: 350 },
  "throughput exceeded": { error: "ProvisionedThroughputExceededException" },
  throttled: { error: "ThrottlingException" },
  "limit exceeded": { error: "RequestLimitExceeded" },
  "failed inside": { error: "InternalServerError", status: 500 },
  "expired token": { error: "ExpiredTokenException" },
};

/** Whether the fault affects one call, or also all later ones. */
export const durations = ["once", "from then on"] as const;
export type Duration = (typeof durations)[number];
