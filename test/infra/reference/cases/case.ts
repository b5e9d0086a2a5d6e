/** Requests to a service that holds the demo's state. */
import type { Burgee, Response } from "../../../support/burgee.ts";
import type { Fate } from "../../../support/wire.ts";

export type Case = (burgee: Burgee) => Promise<Response>;

/** By the name of the example that the answer is: its status, and its name if it has a body. */
export type Cases = Readonly<Record<string, Case>>;

export const unknownKey = { key: "another-key-than-the-demo's" };
export const noMethod = { method: "DELETE" };
export const tooLarge = { body: `"${"x".repeat(256 * 1024)}"` };
export const textual = { headers: { "content-type": "text/plain" } };
/** The time that is left for tries. */
export const short = { timeoutMs: 1500 };

export const denied: Fate = { error: "AccessDeniedException" };
export const throttled: Fate = { error: "ThrottlingException" };
export const overtaken: Fate = { error: "ConditionalCheckFailedException" };

interface Breach {
  /** Calls of this kind alone, or of every kind. */
  kind?: string;
  /** So many of them are passed on first. */
  after?: number;
}

/** The same request, with a database that answers its calls in this way. */
export function broken(fate: Fate, ask: Case, { kind, after = 0 }: Breach = {}): Case {
  return (burgee) => {
    let passed = 0;
    burgee.wire.decide(({ operation }) =>
      (kind ?? operation) === operation && passed++ >= after ? fate : "pass",
    );
    return ask(burgee);
  };
}
