/** `npm run schemathesis`: tries the local server by its OpenAPI document, with a tool that knows nothing else of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { buildAll } from "../../esbuild.config.mjs";
import { fetchPython } from "../../infra/build/fetch.mjs";

const config = path.resolve("test/schemathesis/schemathesis.toml");
const document = path.resolve("infra/reference/openapi.json");

const programs = fetchPython("schemathesis", "test/schemathesis/requirements.txt");
await buildAll();
const { startBurgee } = await import("burgee/local");
const { url } = await startBurgee();
const args = ["--config-file", config, "run", document, "--url", url, ...process.argv.slice(2)];
// It leaves folders of its own wherever it is started.
const [code] = await once(
  spawn(path.join(programs, "schemathesis"), args, { cwd: programs, stdio: "inherit" }),
  "exit",
);
process.exit(code ?? 1);
