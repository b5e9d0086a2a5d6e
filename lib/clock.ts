/**
 * The clock of an invocation, and the times that depend on each other. An invocation ends after 10 seconds
 * (serverless.yml), which is its deadline.
 *
 *   time                    must be longer than           what it is for
 *   responseReserveMs                                     is left before the deadline: no call to the table ends later
 *   minSendMs                                             with less time, a call is not sent: no response could arrive
 *   afterPauseMs            responseReserveMs, minSendMs  after its pause a change still reads and writes
 *   minRoundMs              afterPauseMs                  a round of a creation or deletion makes more calls
 *   maxSendMs                                             a send that has lasted for so long is aborted
 *   maxGapMs                maxSendMs and a pause         a creation may send until this long after its last write
 *                                                         began, so it goes on after one lost response
 *   creationProtectionMs    maxGapMs                      no other creation replaces what a creation has written until
 *                                                         its next write is sent, as late as it may be; a write that
 *                                                         also arrives more than a second later is not covered
 *   guardSlackSeconds       an invocation                 a guard of a parallel attempt is still found, although its
 *                                                         clock differs
 *
 * Where two are named, the time is longer than their sum. `creationProtectionMs` is shorter than an invocation, so that
 * another creation can wait for it.
 */
export const responseReserveMs = 300;
export const minSendMs = 50;
export const afterPauseMs = 500;
export const minRoundMs = 1000;
export const maxSendMs = 2500;
export const maxGapMs = 3000;
export const creationProtectionMs = 4000;
export const guardSlackSeconds = 600;

/** Tests and the exploration of schedules have clocks of their own. */
export interface Clock {
  sleep(ms: number): Promise<void>;
  /** Returns the time until the invocation's deadline. */
  remainingMs(): number;
}
