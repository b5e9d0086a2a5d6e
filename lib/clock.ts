/** The time of an invocation. Tests and the exploration of schedules have clocks of their own. */

export interface Clock {
  sleep(ms: number): Promise<void>;
  /** Returns the time until the invocation's deadline. */
  remainingMs(): number;
}
