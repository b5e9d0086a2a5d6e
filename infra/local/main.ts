/** `npm start`: the built functions behind a gateway of this machine. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "../../lib/store/client.ts";
import { openSession } from "../../lib/store/session.ts";
import { explain } from "../admin/explain.ts";
import { printableLines } from "../printable.ts";
import { projectFile } from "../project-file.ts";
import { createPages } from "../reference/pages.ts";
import { Refusal } from "../refusal.ts";
import type { State } from "../state/state.ts";
import { readStateFile } from "../state/state-file.ts";
import { createTable } from "../store/create-table.ts";
import { importState } from "../store/import-state.ts";
import { announce } from "./announce.ts";
import { loadFunctions } from "./bundles.ts";
import { type Engine, startEngine } from "./engine.ts";
import { createGateway } from "./gateway.ts";
import { type Options, readOptions } from "./options.ts";
import { readRoutes } from "./routes.ts";
import { readTableDefinition } from "./table.ts";
import { watchSources } from "./watch.ts";

const demo = projectFile("infra/demo.json");

async function start(options: Options): Promise<void> {
  const state = readStateFile(options.state ?? demo);
  const engine = await openEngine(options);
  process.once("exit", engine.stop);
  const table = setEnvironment(engine);
  const { isEmpty } = await createTable(table, readTableDefinition());
  const session = openSession({ client: createClient(), table, remainingMs: () => 60_000 });
  const imported = await importState(session, { state, source: options.state ?? "the demo's", isEmpty });
  if (imported.outcome === "other import pending") throw new Refusal(pending(imported.source, options));
  const routes = readRoutes();
  const functions = loadFunctions(routes.map((route) => route.function));
  const server = createGateway({
    routes,
    invoke: functions.invoke,
    pages: createPages({ key: demoKey(options, state) }),
    names: options,
  });
  const url = await listen(server, options);
  if (options.watch) await watchSources(functions.reload);
  announce({ url, engine, state, seeded: imported.outcome === "stored", options });
}

/** Keys of the demo are no secret; those of a state of one's own stay in the terminal. */
function demoKey(options: Options, state: State): string | undefined {
  return options.state === undefined ? state.apiKeys[0]?.key : undefined;
}

async function openEngine({ endpoint, data, allowHost }: Options): Promise<Engine> {
  if (endpoint === undefined) return startEngine(data, { allowHost });
  return { endpoint, stop() {} };
}

function pending(source: string, { data, endpoint }: Options): string {
  const place = data ?? endpoint;
  const remedy = data === undefined ? "delete its table" : "delete that folder";
  return (
    `${place} has only a part of another state (${source}): its first start was interrupted; ` +
    `start with that state again to complete it, or ${remedy}`
  );
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
    throw new Refusal(`cannot listen on ${host}:${port}: ${reasonOf(error)}`);
  }
  return `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "EADDRINUSE" ? "the port is taken; --port 0 picks a free one" : message;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));

const options = readOptions(process.argv.slice(2));
try {
  await start(options);
} catch (error) {
  const line = explain(error, options);
  if (line === undefined) throw error;
  console.error(printableLines(`burgee: ${line}`));
  process.exit(1);
}
