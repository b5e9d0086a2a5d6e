/** Opens the service on this machine: a DynamoDB engine, the table with its first state, and the built functions. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Client } from "../../lib/store/client.ts";
import { forgetAwsSettings, isOfAws, useEndpoint } from "../cli/aws-settings.ts";
import { projectFile } from "../cli/project-file.ts";
import { Refusal } from "../cli/refusal.ts";
import type { State } from "../state/schemas.ts";
import { readStateFile } from "../state/state.ts";
import { createTable } from "../store/create-table.ts";
import { openTable } from "../store/open-table.ts";
import { importState } from "../store/write-state.ts";
import { startEngine } from "./engine.ts";
import type { Invoke } from "./gateway.ts";
import type { Options } from "./options.ts";
import { declaredRoutes } from "./routes.ts";

export type LocalService = Awaited<ReturnType<typeof openService>>;

const require = createRequire(import.meta.url);

/** The state in this file, or the demo's. */
export const readFirstState = (file = projectFile("infra/demo.json")) => readStateFile(file);

/** Only one per thread, as the functions read their settings from its environment. */
export async function openService(state: State, { data, endpoint, allowHost }: Partial<Options> = {}) {
  // Without this, the SDK warns about Node versions once for each bundle.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  const engine =
    endpoint === undefined
      ? await startEngine(data, allowHost)
      : { endpoint, client: undefined, stop: async () => {} };
  try {
    if (endpoint === undefined) forgetAwsSettings();
    else useEndpoint(endpoint);
    process.env.TABLE_NAME ||= "burgee";
    const { TABLE_NAME: table } = process.env;
    // On AWS nothing is created or stored: the demo's API key is public.
    const { client } = engine;
    const isEmpty = !isOfAws(engine.endpoint) && (await createTable(table, { client })).isEmpty;
    const session = openTable(table, client);
    /** Whether this start stored the state; false if the data already existed. */
    const seeded = await importState(session, { state, isEmpty });
    // The bundles read their settings when they are loaded.
    let handlers = loadHandlers(client);
    const reload = (folder: string) => {
      handlers = loadHandlers(client, folder);
    };
    const invoke: Invoke = async ({ name, timeoutMs }, event) => {
      const endsAt = Date.now() + timeoutMs;
      const getRemainingTimeInMillis = () => Math.max(0, endsAt - Date.now());
      return handlers[name](event, { awsRequestId: randomUUID(), getRemainingTimeInMillis });
    };
    return { engine, session, seeded, invoke, reload };
  } catch (error) {
    // A running engine would keep this process alive.
    await engine.stop();
    throw error;
  }
}

/** Loads each function as Lambda would: by its file and the name of its export. */
function loadHandlers(client: Client | undefined, folder = projectFile("dist")) {
  const handlers = declaredRoutes.map(({ function: { name, handler } }) => {
    const { name: file, ext } = path.parse(handler);
    const built = require(path.join(folder, `${file}.cjs`));
    // As Lambda calls it, or with the client of the embedded engine.
    return [name, client ? built.open(process.env, { client, folder }) : built[ext.slice(1)]];
  });
  return Object.fromEntries(handlers);
}

/** Returns the URL. Port 0 picks a free one. */
export async function listen(
  server: Server,
  { host, port }: Pick<Options, "host" | "port">,
): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "the port is taken; --port 0 picks a free one" : message;
    throw new Refusal(`cannot listen on ${host}:${port}: ${reason}`);
  }
  return `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}
