/** Starts the local server's embedded engine in this process. */
import { createDynalite } from "../../infra/local/dynalite.ts";
import { listen } from "./listening.ts";

export async function startDynalite(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const server = await createDynalite();
  const port = await listen(server);
  return { endpoint: `http://127.0.0.1:${port}`, stop: async () => void server.close() };
}
