/** What a call costs, measured so that neither a busy machine nor a slow one fails a test. */

const attempts = 10;

/** An ordinary processor parses it in `ordinaryMs`. */
const yardstick = JSON.stringify(Array.from({ length: 2000 }, (_, index) => ({ name: `${index}`, of: [1] })));
const ordinaryMs = 1;

/** Returns the cost of the first run that costs at most `enough`, or else of the cheapest, as on an ordinary processor. */
export function milliseconds(run: () => unknown, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < attempts && least > enough; count++) {
    const slowness = measureSlowness();
    const startedAt = performance.now();
    const usage = process.cpuUsage();
    run();
    // Time in which other processes ran does not count.
    least = Math.min(least, Math.min(performance.now() - startedAt, used(usage)) / slowness);
  }
  return least;
}

/** The same of a run that waits, which does not count. */
export async function processorMs(run: () => Promise<unknown>, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < attempts && least > enough; count++) {
    const slowness = measureSlowness();
    const usage = process.cpuUsage();
    await run();
    least = Math.min(least, used(usage) / slowness);
  }
  return least;
}

/** How many times slower than an ordinary processor this one is now: another thread may share it, or it saves energy. */
export function measureSlowness(): number {
  const parsing = Array.from({ length: 5 }, () => {
    const usage = process.cpuUsage();
    JSON.parse(yardstick);
    return used(usage);
  });
  return Math.max(1, Math.min(...parsing) / ordinaryMs);
}

function used(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
