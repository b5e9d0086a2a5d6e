/** Samples the memory of a server every second. */
import type { Memory } from "./memory.ts";
import type { Target } from "./target.ts";

export interface MemoryOverTime {
  peak: Memory;
  /** The mean of the second third, after the warm-up, and of the last third. */
  begin: Memory;
  end: Memory;
}

export function watchMemory({ readMemory }: Target): () => Promise<MemoryOverTime> {
  const samples: Memory[] = [];
  const sample = async () => {
    samples.push(await readMemory());
  };
  const watch = setInterval(sample, 1000);
  return async () => {
    clearInterval(watch);
    await sample();
    const third = Math.ceil(samples.length / 3);
    const over = (some: readonly Memory[], reduce: (values: number[]) => number): Memory => ({
      server: reduce(some.map(({ server }) => server)),
      database: reduce(some.map(({ database }) => database)),
    });
    return {
      peak: over(samples, (values) => Math.max(...values)),
      begin: over(samples.slice(0, 2 * third).slice(-third), mean),
      end: over(samples.slice(-third), mean),
    };
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
