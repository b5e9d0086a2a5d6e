/** Starts the embedded DynamoDB engine. This process calls it by a client, other processes by its address. */
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Client } from "../../lib/store/dynamodb/client.ts";
import { Refusal } from "../cli/refusal.ts";
import { Damaged } from "../engine/checksums.ts";
import { clientOf } from "../engine/client.ts";
import { serveEngine } from "../engine/http.ts";
import { type OpenEngine, openFolder, openInMemory, UnknownFormat } from "../engine/storage.ts";

/** Opens the engine for this process only. Without a folder the data is in memory. */
export async function openEngine(folder?: string): Promise<{ client: Client; stop: () => Promise<void> }> {
  const engine = await open(folder);
  return { client: clientOf(engine), stop: engine.close };
}

/**
 * Opens the engine, and serves it at an address. `allowHost`: hosts that it accepts besides localhost and IP addresses.
 */
export async function startEngine(folder?: string, allowHost?: readonly string[]) {
  const engine = await open(folder);
  const server = serveEngine(engine, allowHost).listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    client: clientOf(engine),
    async stop() {
      server.close();
      server.closeAllConnections();
      await engine.close();
    },
  };
}

async function open(folder: string | undefined): Promise<OpenEngine> {
  if (folder === undefined) return openInMemory();
  try {
    return await openFolder(prepare(folder));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof UnknownFormat)
      throw new Refusal(
        `the data in ${folder} is of an earlier Burgee: export it with that, and apply the file to another folder`,
      );
    if (error instanceof Damaged)
      throw new Refusal(
        `the data in ${folder} is damaged: parts are missing or wrong; use a whole copy of it`,
      );
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    if (code !== "LEVEL_LOCKED") throw new Refusal(`the DynamoDB engine did not start: ${message}`);
    const advice = "stop it, or use the --endpoint that its npm start printed";
    throw new Refusal(`the data in ${folder} is in use by another process; ${advice}`);
  }
}

function prepare(folder: string): string {
  const data = path.join(folder, "dynamodb");
  try {
    mkdirSync(data, { recursive: true });
  } catch (error) {
    throw new Refusal(`the folder ${folder} cannot be used for the data: ${(error as Error).message}`);
  }
  // Without this file the engine would create an empty database over the data.
  const hasData = readdirSync(data).some((file) => /\.(ldb|log)$/.test(file));
  if (hasData && !existsSync(path.join(data, "CURRENT"))) {
    throw new Refusal(
      `the data in ${folder} is damaged: dynamodb/CURRENT is missing; use a whole copy of it`,
    );
  }
  return data;
}
