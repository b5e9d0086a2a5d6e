/** The handlers that the server has loaded, counted while they run: nobody else knows when one has come to its end. */
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Handler } from "../../lib/http/handler.ts";

const require = createRequire(import.meta.url);
const counted = new Map<string, Handler>();
let running = 0;

/** The server asks Node for it anew at each request, so from the first time on it gets this one as well. */
export function countedHandler(name: string): Handler {
  const known = counted.get(name);
  if (known) return known;
  const file = path.resolve(`dist/${name}.cjs`);
  const { handler: original }: { handler: Handler } = require(file);
  const handler: Handler = async (event, context) => {
    running++;
    return original(event, context).finally(() => running--);
  };
  const loaded = require.cache[file];
  if (!loaded) throw new Error(`${file} is not loaded`);
  loaded.exports = { handler };
  counted.set(name, handler);
  return handler;
}

/** Until nothing is being done any more, also for clients that have gone away. */
export async function rest(): Promise<void> {
  for (const name of ["tags", "variants"]) countedHandler(name);
  do await wait(2);
  while (running > 0);
}
