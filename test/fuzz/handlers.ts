/** Counts the running calls of the handlers that the server has loaded, to know when all have ended. */
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Handler } from "../../lib/http/handler.ts";

const require = createRequire(import.meta.url);
const counted = new Map<string, Handler>();
let running = 0;

/** The server requires the handler at each request, so it uses this one from the first call on. */
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

/** Waits until no call is running, including calls of clients that have disconnected. */
export async function idle(): Promise<void> {
  for (const name of ["tags", "variants"]) countedHandler(name);
  do await wait(2);
  while (running > 0);
}
