/**
 * The clock of an invocation, and the times that depend on each other. An invocation ends after 10 seconds
 * (serverless.yml), which is its deadline.
 *
 *   responseMs         300   is left before the deadline: no call to the table ends later
 *   minSendMs           50   a call is not sent with less time before that, as no response could arrive
 *   afterPauseMs       500   > responseMs + minSendMs: after its pause a change still reads and writes
 *   minRoundMs        1000   > afterPauseMs: a round of a creation or deletion makes more calls than that of a change
 *
 *   maxSendMs         2500   is the longest time for one send, in which the whole response is read
 *   maxGapMs          3000   > maxSendMs and a pause: a creation goes on after one lost response
 *   creationMs        4000   > maxGapMs, and the flight of a send: no other creation replaces what one has written
 *                            while it goes on. < 10 seconds: the other one can wait for it
 *
 *   attemptSeconds     600   > 10 seconds and the difference of clocks: a guard of a parallel attempt is still found
 */
export const responseMs = 300;
export const minSendMs = 50;
export const afterPauseMs = 500;
export const minRoundMs = 1000;
export const maxSendMs = 2500;
export const maxGapMs = 3000;
export const creationMs = 4000;
export const attemptSeconds = 600;

/** Tests and the exploration of schedules have clocks of their own. */
export interface Clock {
  sleep(ms: number): Promise<void>;
  /** Returns the time until the invocation's deadline. */
  remainingMs(): number;
}
