/** Starts the local server's embedded engine in this process. */
import { startEngine } from "../../infra/local/engine.ts";

export async function startDynalite(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  return startEngine();
}
