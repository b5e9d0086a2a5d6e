/** Starts a Burgee for tests: a service and an engine in their own processes, which end with this one. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Burgee, FunctionResult, startBurgee as Start } from "./harness.d.ts";

interface Reply {
  id: number;
  result?: unknown;
  error?: string;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const program = new URL("harness-process.mjs", import.meta.url);

export const startBurgee: typeof Start = async ({ state, log = () => {}, ...others } = {}) => {
  for (const name of Object.keys(others)) {
    throw new TypeError(`startBurgee has no option "${name}": its options are state and log`);
  }
  const child = fork(program, {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Options of this process, such as a debugger's, are not passed on.
    execArgv: [],
    env: environment(),
    // Ctrl-C reaches the whole process group; this process decides when to stop.
    detached: true,
  });
  const outputs = [child.stdout, child.stderr] as Socket[];
  const errors: string[] = [];
  for (const output of outputs) {
    createInterface({ input: output }).on("line", (line) => {
      if (output === child.stderr) errors.push(line);
      log(line);
    });
  }
  const pending = new Map<number, Pending>();
  let nextId = 0;
  let ended: Error | undefined;

  function call(message: { method: string } & Record<string, unknown>): Promise<unknown> {
    if (ended) return Promise.reject(ended);
    const id = nextId++;
    return new Promise((resolve, reject) => {
      // Throws if the message has no JSON. Sending fails only if the process has ended, which rejects pending calls below.
      child.send({ id, ...message }, () => {});
      pending.set(id, { resolve, reject });
      keepAlive();
    });
  }

  /** This process may end at any time, except while a call is pending. */
  function keepAlive(): void {
    const handles = [child, ...outputs, ...(child.channel ? [child.channel] : [])];
    for (const handle of handles) pending.size > 0 ? handle.ref() : handle.unref();
  }

  child.on("message", ({ id, result, error }: Reply) => {
    const { resolve, reject } = pending.get(id) ?? {};
    pending.delete(id);
    keepAlive();
    if (error === undefined) resolve?.(result);
    else reject?.(new Error(error));
  });
  child.once("exit", (code, signal) => {
    ended = new Error([`this Burgee has ended (${signal ?? code})`, ...errors.slice(-20)].join("\n"));
    for (const { reject } of pending.values()) reject(ended);
    pending.clear();
  });

  async function stop(): Promise<void> {
    if (ended) return;
    child.ref();
    const exited = once(child, "exit");
    if (child.connected) child.disconnect();
    await exited;
  }

  try {
    const started = (await call({ method: "start", state })) as Pick<Burgee, "url" | "engine" | "keys">;
    return {
      ...started,
      invoke: async (name, event) => (await call({ method: "invoke", name, event })) as FunctionResult,
      reset: async (next) => void (await call({ method: "reset", state: next })),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Leaves out what leads to another database or account. Revoked keys are refused at once, so tests need not wait. */
function environment(): NodeJS.ProcessEnv {
  const ours = /^(?:AWS_|TABLE_NAME$|KEY_CACHE_SECONDS$|NODE_OPTIONS$)/;
  const others = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(others), KEY_CACHE_SECONDS: "0" };
}
