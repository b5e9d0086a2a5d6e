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
 *   reservationMs           maxSendMs and a pause         a creation keeps the name that it has reserved for so long,
 *                                                         and goes on after one lost response
 *   guardSlackSeconds       an invocation                 a guard of a parallel attempt is still found, although its
 *                                                         clock differs
 *
 * Where two are named, the time is longer than their sum. `reservationMs` is shorter than an invocation, so that another
 * creation can wait for it.
 */
export const responseReserveMs = 300;
export const minSendMs = 50;
export const afterPauseMs = 500;
export const minRoundMs = 1000;
export const maxSendMs = 2500;
export const reservationMs = 4000;
export const guardSlackSeconds = 600;

/**
 * Pauses, and the time that is left. Tests and the exploration of schedules have clocks of their own. The time of day is
 * that of `Date`, which the exploration replaces.
 */
export interface Clock {
  sleep(ms: number): Promise<void>;
  /** Returns the time until the invocation's deadline. */
  remainingMs(): number;
}
