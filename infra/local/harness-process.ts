/** The process behind `startBurgee`: runs one service and the calls of its parent, and ends when the parent ends. */
import { explain } from "../admin/explain.ts";
import { Refusal } from "../refusal.ts";
import type { State } from "../state/state.ts";
import { checkState } from "../state/state-file.ts";
import { emptyTable } from "../store/empty-table.ts";
import { writeState } from "../store/write-state.ts";
import { createGateway, type Invoke } from "./gateway.ts";
import { type LocalService, listen, openService, readFirstState } from "./service.ts";

interface Call {
  id: number;
  method: "start" | "invoke" | "reset";
  state?: unknown;
  name?: string;
  event?: unknown;
}

let service: LocalService;
let first: State;
let resetting: Promise<unknown> = Promise.resolve();
const open = new Set<Promise<unknown>>();

async function start(state: unknown): Promise<unknown> {
  first = checked(state ?? (await readFirstState()).state);
  service = await openService({ state: first, source: "the state" });
  const names = { host: "127.0.0.1", port: 0 };
  const url = await listen(createGateway({ routes: service.routes, invoke, names }), names);
  const keys = first.apiKeys.flatMap(({ name, key }) => (key === undefined ? [] : [[name, key]]));
  return { url, engine: service.engine.endpoint, keys: Object.fromEntries(keys) };
}

/** A reset waits for running calls, and later calls wait for the reset. */
const invoke: Invoke = async (...given) => {
  await resetting;
  const running = service.invoke(...given);
  open.add(running);
  return running.finally(() => open.delete(running));
};

async function invokeByName({ name, event }: Call): Promise<unknown> {
  const declared = service.routes.find((route) => route.function.name === name)?.function;
  if (!declared) throw new Refusal(`there is no function "${name}": the functions are tags and variants`);
  return invoke(declared, event);
}

async function reset(given: unknown): Promise<void> {
  const state = given === undefined ? first : checked(given);
  const done = resetting.then(async () => {
    await Promise.allSettled(open);
    await emptyTable(service.session);
    await writeState(service.session, state);
  });
  // Only its own caller gets the error of a reset.
  resetting = done.catch(() => {});
  await done;
}

function checked(state: unknown): State {
  return checkState(state, "the state");
}

function run(call: Call): Promise<unknown> {
  if (call.method === "start") return start(call.state);
  return call.method === "reset" ? reset(call.state) : invokeByName(call);
}

/** Fails only if the parent has disconnected, which ends this process. */
function send(reply: object): void {
  process.send?.(reply, () => {});
}

process.on("message", async (call: Call) => {
  const { id } = call;
  try {
    send({ id, result: await run(call) });
  } catch (error) {
    const { stack, message } = error as Error;
    send({ id, error: explain(error, {}) ?? stack ?? message });
  }
});
process.on("disconnect", () => process.exit());
// The parent may have ended while this program was loading.
if (!process.connected) process.exit();
