/** What a call costs, measured so that a busy machine does not fail a test. */

/** Of the first run that costs at most `enough`, or of the cheapest: what costs too much does so in each run. */
export function milliseconds(run: () => unknown, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 20 && least > enough; count++) least = Math.min(least, timeOf(run));
  return least;
}

/** By the clock or by the processor, whichever is less: time in which other processes ran does not count. */
function timeOf(run: () => unknown): number {
  const startedAt = performance.now();
  const usage = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(usage);
  return Math.min(performance.now() - startedAt, (user + system) / 1000);
}

/** The same of the processor time of a request, which waits for a table in another process. */
export async function processorMs(run: () => Promise<unknown>, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 20 && least > enough; count++) {
    const usage = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(usage);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
