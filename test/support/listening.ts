/** For servers in their own processes: finds a free port, and waits until a server responds. */
import { createServer } from "node:net";

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
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
