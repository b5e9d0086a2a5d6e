/** Measures what a call costs, so that neither a busy machine nor a slow one fails a test. */

const fewestAttempts = 10;

/** Attempts go on for this long: on a busy machine the tenth may be as slow as the first. */
const patienceMs = 4000;

/** An ordinary processor parses it in `ordinaryMs`. */
const yardstick = JSON.stringify(Array.from({ length: 2000 }, (_, index) => ({ name: `${index}`, of: [1] })));
const ordinaryMs = 1;

/** Returns the cost of the first run that costs at most `enough`, or else of the cheapest, as on an ordinary processor. */
export function milliseconds(run: () => unknown, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  const isOver = patience();
  while (least > enough && !isOver()) {
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
  const isOver = patience();
  while (least > enough && !isOver()) {
    const slowness = measureSlowness();
    const usage = process.cpuUsage();
    await run();
    least = Math.min(least, used(usage) / slowness);
  }
  return least;
}

/** Returns a function that says, before each attempt, whether there were enough of them. */
function patience() {
  const startedAt = performance.now();
  let attempts = 0;
  return () => attempts++ >= fewestAttempts && performance.now() - startedAt > patienceMs;
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
