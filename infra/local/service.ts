/** Opens the service on this machine: a DynamoDB engine, the table with its first state, and the functions. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context } from "aws-lambda";
import type { Handler } from "../../lib/http/handler.ts";
import type { Client } from "../../lib/store/dynamodb/client.ts";
import { forgetAwsSettings, isOfAws, useEndpoint } from "../cli/aws-settings.ts";
import { projectFile } from "../cli/project-file.ts";
import { Refusal } from "../cli/refusal.ts";
import { readStateFile } from "../state/state-file.ts";
import type { State } from "../state/state-file-schemas.ts";
import { createTable } from "../store/create-table.ts";
import { openTable } from "../store/open-table.ts";
import { storeFirstState } from "../store/write-state.ts";
import { startEngine } from "./engine.ts";
import type { Invoke } from "./gateway.ts";
import type { StartOptions } from "./options.ts";

export type LocalService = Awaited<ReturnType<typeof openService>>;

/** Reads the state of the file, which is the demo's by default. */
export const readFirstState = (file = projectFile("infra/demo.json")) => readStateFile(file);

/** The handlers by the names of their functions. */
export type Functions = Readonly<Record<string, Handler>>;

/**
 * Without a client, the functions use the table that the environment names. `folder`: where they were built, if not in
 * dist.
 */
type OpenFunctions = (client: Client | undefined, folder?: string) => Functions;

/** A thread can have one service only, because the functions read their settings from its environment. */
export async function openService(
  state: State,
  openFunctions: OpenFunctions,
  { data, endpoint, allowHost }: Partial<StartOptions> = {},
) {
  // Without this, the SDK warns about Node versions once for each copy of it.
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
    // On AWS no table is created and no state is stored, because the demo's API key is public.
    const { client } = engine;
    const isEmpty = !isOfAws(engine.endpoint) && (await createTable(table, { client })).isEmpty;
    const session = openTable(table, client);
    /** Whether this start has stored the state: false if there was data already. */
    const isStateStored = await storeFirstState(session, { state, isEmpty });
    // The functions read their settings when they are opened.
    let functions = openFunctions(client);
    const reload = (folder: string) => {
      functions = openFunctions(client, folder);
    };
    const invoke: Invoke = async ({ name, timeoutMs }, event) => {
      // The time of day can be set back while a request runs.
      const endsAt = performance.now() + timeoutMs;
      const getRemainingTimeInMillis = () => Math.max(0, endsAt - performance.now());
      const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis } as Context;
      const called = functions[name];
      if (!called) throw new Error(`no function is named ${name}`);
      return called(event, context);
    };
    return { engine, session, isStateStored, invoke, reload };
  } catch (error) {
    // A running engine would keep this process alive.
    await engine.stop();
    throw error;
  }
}

/** Returns the URL of the server. Port 0 picks a free port. */
export async function listen(
  server: Server,
  { host, port }: Pick<StartOptions, "host" | "port">,
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
