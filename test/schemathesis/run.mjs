/** `npm run schemathesis`: tests the local server with Schemathesis, which knows only its OpenAPI document. */
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
// Schemathesis writes folders into its working folder.
const [code] = await once(
  spawn(path.join(programs, "schemathesis"), args, { cwd: programs, stdio: "inherit" }),
  "exit",
);
process.exit(code ?? 1);
