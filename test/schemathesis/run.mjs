/** `npm run schemathesis`: tries the local server by its OpenAPI document, with a tool that knows nothing else of it. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { buildAll } from "../../esbuild.config.mjs";

const requirements = path.resolve("test/schemathesis/requirements.txt");
const config = path.resolve("test/schemathesis/schemathesis.toml");
const document = path.resolve("infra/reference/openapi.json");
const folder = path.resolve(".cache/schemathesis");

const program = install();
await buildAll();
const { server, url } = await startServer();
process.once("exit", () => server.kill());
const args = ["--config-file", config, "run", document, "--url", url, ...process.argv.slice(2)];
// It leaves folders of its own wherever it is started.
const [code] = await once(spawn(program, args, { cwd: folder, stdio: "inherit" }), "exit");
process.exit(code ?? 1);

/** Into a Python environment of its own, once for each list of packages. */
function install() {
  const bin = path.join(folder, "bin");
  const installed = path.join(folder, "requirements.txt");
  if (!existsSync(installed) || !readFileSync(installed).equals(readFileSync(requirements))) {
    rmSync(folder, { recursive: true, force: true });
    execFileSync("python3", ["-m", "venv", folder], { stdio: "inherit" });
    const quietly = ["install", "--quiet", "--disable-pip-version-check"];
    execFileSync(path.join(bin, "pip"), [...quietly, "-r", requirements], { stdio: "inherit" });
    // The last step, so that whatever was broken off is begun again.
    cpSync(requirements, installed);
  }
  return path.join(bin, "schemathesis");
}

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
