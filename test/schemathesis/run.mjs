/** `npm run schemathesis`: tries the local server by its OpenAPI document, with a tool that knows nothing else of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { buildAll } from "../../esbuild.config.mjs";
import { fetchPython } from "../../infra/build/fetch.mjs";

const config = path.resolve("test/schemathesis/schemathesis.toml");
const document = path.resolve("infra/reference/openapi.json");

const programs = fetchPython("schemathesis", "test/schemathesis/requirements.txt");
await buildAll();
const { server, url } = await startServer();
process.once("exit", () => server.kill());
const args = ["--config-file", config, "run", document, "--url", url, ...process.argv.slice(2)];
// It leaves folders of its own wherever it is started.
const [code] = await once(
  spawn(path.join(programs, "schemathesis"), args, { cwd: programs, stdio: "inherit" }),
  "exit",
);
process.exit(code ?? 1);

/** Without the settings of a shell that would lead it to another database. */
async function startServer() {
  const { AWS_ENDPOINT_URL_DYNAMODB, TABLE_NAME, ...env } = process.env;
  const server = spawn(process.execPath, ["dist/tools/start.mjs", "--port", "0"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(server.stdout)) {
    if (line.startsWith("ready ")) {
      server.stdout.resume();
      return { server, url: line.slice("ready ".length) };
    }
  }
  throw new Error("the server did not start");
}
