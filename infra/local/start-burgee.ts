/**
 * Starts a Burgee for tests: a service in a thread of its own, which ends with this process. There, fake timers, mocks,
 * settings and synchronous calls of the tests do not affect it.
 */
import { once } from "node:events";
import { MessageChannel, Worker } from "node:worker_threads";
import type { Burgee, FunctionResult, startBurgee as Start } from "./harness.d.ts";

const program = new URL("harness-worker.mjs", import.meta.url);

export const startBurgee: typeof Start = async ({ state, log = () => {}, ...others } = {}) => {
  for (const name of Object.keys(others)) {
    throw new TypeError(`startBurgee has no option "${name}": its options are state and log`);
  }
  requireNoPath(state, "startBurgee");
  if (typeof log !== "function")
    throw new TypeError("startBurgee takes a function as log, which receives each line");
  // Options of this process, such as a debugger's, are not passed on.
  const worker = new Worker(program, { env: environment(), execArgv: [] });
  worker.on("message", log);
  let end: Error | undefined;
  const pending = new Set<AbortController>();
  const endWith = (reason: Error) => {
    end ??= reason;
    for (const call of pending) call.abort();
  };
  worker.once("error", endWith);
  worker.once("exit", () => endWith(new Error("this Burgee has ended")));
  // This process may end at any time, except while a call is pending.
  worker.unref();

  async function call(message: { method: string } & Record<string, unknown>): Promise<unknown> {
    if (end) throw end;
    const { port1, port2 } = new MessageChannel();
    const ended = new AbortController();
    pending.add(ended);
    try {
      worker.postMessage({ ...message, port: port2 }, [port2]);
      const [{ result, error }] = await once(port1, "message", ended).catch(() => {
        throw end;
      });
      if (error !== undefined) throw new Error(error);
      return result;
    } finally {
      pending.delete(ended);
      port1.close();
    }
  }

  try {
    const started = (await call({ method: "start", state })) as Pick<Burgee, "url" | "engine" | "keys">;
    return {
      ...started,
      invoke: async (name, event) => (await call({ method: "invoke", name, event })) as FunctionResult,
      reset: async (next) => {
        requireNoPath(next, "reset");
        await call({ method: "reset", state: next });
      },
      stop: async () => void (await worker.terminate()),
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
};

/** Refuses the path of a state: a URL would arrive in the thread as an empty state. */
function requireNoPath(state: unknown, taker: string): void {
  if (typeof state !== "string" && !(state instanceof URL)) return;
  throw new TypeError(`${taker} takes a state, not the path of one: parse the file "${state}"`);
}

/**
 * Leaves out settings that lead to another database or account. Nothing is cached, so that a revoked key is refused at
 * once and SDKs see a change at once.
 */
function environment(): NodeJS.ProcessEnv {
  const ours = /^(?:AWS_|TABLE_NAME$|(?:KEY|DOCUMENT)_CACHE_SECONDS$|NODE_OPTIONS$)/;
  const others = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(others), KEY_CACHE_SECONDS: "0", DOCUMENT_CACHE_SECONDS: "0" };
}
