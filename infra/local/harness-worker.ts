/** Runs one service in the thread that `startBurgee` starts, and performs the calls that arrive as messages. */
import { type MessagePort, parentPort } from "node:worker_threads";
import * as read from "../../functions/read.ts";
import * as tags from "../../functions/tags.ts";
import * as variants from "../../functions/variants.ts";
import type { Client } from "../../lib/store/dynamodb/client.ts";
import { explain } from "../cli/explain.ts";
import { projectFile } from "../cli/project-file.ts";
import { Refusal } from "../cli/refusal.ts";
import { checkState } from "../state/state-file.ts";
import type { State } from "../state/state-file-schemas.ts";
import { emptyTable, writeState } from "../store/write-state.ts";
import { createGateway, type Invoke } from "./gateway.ts";
import { declaredRoutes, functionNames } from "./routes.ts";
import { type Functions, type LocalService, listen, openService, readFirstState } from "./service.ts";

interface Call {
  method: "start" | "invoke" | "reset";
  /** Receives the reply. */
  port: MessagePort;
  state?: unknown;
  name?: string;
  event?: unknown;
}

// Passes the log of the functions on as messages, because reading a thread's output as a stream keeps its parent alive.
process.stdout.write = (line: string | Uint8Array) => {
  parentPort?.postMessage(String(line).trimEnd());
  return true;
};

let service: LocalService;
let first: State;
let resetting: Promise<unknown> = Promise.resolve();
const open = new Set<Promise<unknown>>();

/** Opens the functions from this bundle, which has one copy of the code that they share. */
function openFunctions(client: Client | undefined): Functions {
  const options = { ...(client && { client }), folder: projectFile("dist") };
  return {
    tags: tags.open(process.env, options),
    variants: variants.open(process.env, options),
    read: read.open(process.env, options),
  };
}

async function start({ state }: Call): Promise<unknown> {
  first = state === undefined ? await readFirstState() : checkState(state, "the state");
  service = await openService(first, openFunctions);
  const gateway = createGateway({ routes: declaredRoutes, invoke });
  const url = await listen(gateway, { host: "127.0.0.1", port: 0 });
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
  const declared = declaredRoutes.find((route) => route.function.name === name)?.function;
  if (!declared)
    throw new Refusal(
      `there is no function "${name}": the functions are ${functionNames(declaredRoutes).join(", ")}`,
    );
  return invoke(declared, event);
}

async function reset({ state: given }: Call): Promise<void> {
  const state = given === undefined ? first : checkState(given, "the state");
  const done = resetting.then(async () => {
    await Promise.allSettled(open);
    await emptyTable(service.session);
    await writeState(service.session, state);
  });
  // Only its own caller gets the error of a reset.
  resetting = done.catch(() => {});
  await done;
}

const methods = { start, reset, invoke: invokeByName };

parentPort?.on("message", async (call: Call) => {
  try {
    call.port.postMessage({ result: await methods[call.method](call) });
  } catch (error) {
    const { stack, message } = error as Error;
    call.port.postMessage({ error: explain(error, {}) ?? stack ?? message });
  }
});
