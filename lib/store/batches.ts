/** Sends many items in batches, until none is left. */
import { pauseBefore, sleep } from "./session.ts";

/**
 * `send` returns what a throttled table left unprocessed, which is sent again after a pause. It throws once the deadline is
 * near.
 */
export async function sendInBatches<Item>(
  items: readonly Item[],
  most: number,
  send: (batch: readonly Item[]) => Promise<readonly Item[]>,
): Promise<void> {
  let rest = items;
  let retries = 0;
  while (rest.length > 0) {
    const unprocessed = await send(rest.slice(0, most));
    rest = [...unprocessed, ...rest.slice(most)];
    if (unprocessed.length > 0) await sleep(pauseBefore(++retries));
  }
}
