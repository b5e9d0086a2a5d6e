/** An engine in this process: starts in a tenth of a second, and needs nothing but npm. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import dynalite from "dynalite";

export async function startDynalite(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, stop: async () => void server.close() };
}
