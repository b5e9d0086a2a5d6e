/** Starts the local server's embedded engine in this process. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createDynalite } from "../../infra/local/dynalite.ts";

export async function startDynalite(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const server = createDynalite();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, stop: async () => void server.close() };
}
