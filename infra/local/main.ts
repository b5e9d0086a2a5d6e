/** `npm start`: the built functions behind a gateway of this machine. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "../../lib/store/client.ts";
import { openSession } from "../../lib/store/session.ts";
import { createPages } from "../reference/pages.ts";
import { Refusal } from "../refusal.ts";
import type { State } from "../state/state.ts";
import { readStateFile } from "../state/state-file.ts";
import { createTable } from "../store/create-table.ts";
import { writeState } from "../store/write-state.ts";
import { announce } from "./announce.ts";
import { loadFunctions } from "./bundles.ts";
import { type Engine, startEngine } from "./engine.ts";
import { createGateway } from "./gateway.ts";
import { type Options, readOptions } from "./options.ts";
import { readRoutes } from "./routes.ts";
import { readTableDefinition } from "./table.ts";
import { watchSources } from "./watch.ts";

const demo = "infra/demo.json";

async function start(options: Options): Promise<void> {
  const state = readStateFile(options.state ?? demo);
  const engine =
    options.endpoint === undefined ? await startEngine(options.data) : external(options.endpoint);
  process.once("exit", engine.stop);
  const table = setEnvironment(engine);
  const { isEmpty } = await createTable(table, readTableDefinition());
  if (isEmpty)
    await writeState(openSession({ client: createClient(), table, remainingMs: () => 60_000 }), state);
  const routes = readRoutes();
  const functions = loadFunctions(routes.map((route) => route.function));
  const server = createGateway({
    routes,
    invoke: functions.invoke,
    pages: createPages({ key: demoKey(options, state) }),
  });
  const url = await listen(server, options);
  if (options.watch) await watchSources(functions.reload);
  announce({ url, engine, state, seeded: isEmpty, options });
}

/** Keys of the demo are no secret; those of a state of one's own stay in the terminal. */
function demoKey(options: Options, state: State): string | undefined {
  return options.state === undefined ? state.apiKeys[0]?.key : undefined;
}

function external(endpoint: string): Engine {
  return { endpoint, stop() {} };
}

/** What Lambda's environment would hold. An engine of this machine takes any credentials, a real one those that are set. */
function setEnvironment({ endpoint }: Engine): string {
  const { env } = process;
  env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  env.AWS_REGION ??= "eu-central-1";
  env.AWS_ACCESS_KEY_ID ??= "local";
  env.AWS_SECRET_ACCESS_KEY ??= "local";
  env.TABLE_NAME ??= "burgee";
  // The SDK would advise on Node versions once for each bundle.
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  return env.TABLE_NAME;
}

async function listen(server: Server, { host, port }: Options): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Refusal(`cannot listen on ${host}:${port}: ${explain(error)}`);
  }
  return `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "EADDRINUSE" ? "the port is taken; --port 0 picks a free one" : message;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));

try {
  await start(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`burgee: ${error.message}`);
  process.exit(1);
}
