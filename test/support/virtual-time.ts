/** Virtual time, which passes only when everything waits for it: simulated seconds take milliseconds. */

export interface VirtualTime {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Runs until this time; whatever still waits then never resumes. */
  run(untilMs: number): Promise<void>;
}

interface Sleeper {
  at: number;
  wake: () => void;
}

export function createVirtualTime(): VirtualTime {
  let time = 0;
  /** The next one to wake is the last. */
  const sleepers: Sleeper[] = [];

  return {
    now: () => time,
    sleep: (ms) =>
      new Promise((wake) => {
        const sleeper = { at: time + Math.max(0, ms), wake };
        let low = 0;
        let high = sleepers.length;
        while (low < high) {
          const middle = (low + high) >> 1;
          if ((sleepers[middle]?.at ?? 0) > sleeper.at) low = middle + 1;
          else high = middle;
        }
        sleepers.splice(low, 0, sleeper);
      }),
    async run(untilMs) {
      for (;;) {
        // Lets the last one that was woken run until it waits again.
        await new Promise((resolve) => setImmediate(resolve));
        const next = sleepers.at(-1);
        if (!next || next.at > untilMs) break;
        sleepers.pop();
        time = next.at;
        next.wake();
      }
      time = untilMs;
    },
  };
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
