/** Runs one caller, which sends a request as soon as it has the response to the previous one. */

export interface Looped {
  /** Milliseconds of each successful request. */
  durations: number[];
  refused: number;
}

/** Each request writes a new value. */
export async function loop(send: (value: string) => Promise<number>, seconds: number): Promise<Looped> {
  const until = performance.now() + seconds * 1000;
  const caller = Math.random().toString(36).slice(2);
  const looped: Looped = { durations: [], refused: 0 };
  for (let number = 0; performance.now() < until; number++) {
    const startedAt = performance.now();
    const status = await send(`${caller}-${number}`);
    if (status === 200) looped.durations.push(performance.now() - startedAt);
    else looped.refused++;
  }
  return looped;
}
