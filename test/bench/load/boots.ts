/** Measures how long servers take to start, in turn, each on its existing data. */
import { type Measured, summarize } from "../statistics.ts";
import type { Memory } from "./memory.ts";
import type { Target } from "./target.ts";

const rounds = 5;

export interface Booted {
  target: Target;
  /** Milliseconds to the first response. */
  boot: Measured;
  /** Its memory a second later. */
  idle: Memory;
}

/** The last start of each keeps running. */
export async function measureBoots(starts: readonly (() => Promise<Target>)[]): Promise<Booted[]> {
  const boots = starts.map((): number[] => []);
  for (let round = 1; round < rounds; round++) {
    for (const [index, start] of starts.entries()) {
      const target = await start();
      boots[index]?.push(target.boot);
      await target.stop();
    }
  }
  const booted: Booted[] = [];
  for (const [index, start] of starts.entries()) {
    const target = await start();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    booted.push({
      target,
      boot: summarize([...(boots[index] ?? []), target.boot]),
      idle: await target.readMemory(),
    });
  }
  return booted;
}
