/** Listens on a free port of this machine, finds one for another process, and waits for responses. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/** Starts a server on a free port of this machine, and returns the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function untilItAnswers(
  name: string,
  endpoint: string,
  exitCode: () => number | null,
): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt++) {
    if (exitCode() !== null) throw new Error(`${name} ended with exit code ${exitCode()}`);
    const answer = await fetch(endpoint).catch(() => undefined);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${name} did not respond at ${endpoint} within 15 seconds`);
}
