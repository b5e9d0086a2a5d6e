/** `npm run schemathesis`: tests the local server with Schemathesis, which knows only its OpenAPI document. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { buildAll } from "../../esbuild.config.mjs";
import { fetchPython } from "../../infra/build/fetch.mjs";

const config = path.resolve("test/schemathesis/schemathesis.toml");
const document = path.resolve("infra/reference/openapi.json");

const programs = fetchPython("schemathesis", "test/schemathesis/requirements.txt");
await buildAll();
const { startBurgee } = await import("burgee/local");
const { url, keys } = await startBurgee();

// The change of the document's examples: its id follows from this idempotency key.
const change = await fetch(`${url}/api/admin/projects/default/features/checkout/variants`, {
  method: "PATCH",
  headers: {
    authorization: keys.demo,
    "content-type": "application/json",
    "idempotency-key": "b4e0a9b2",
  },
  body: JSON.stringify([{ op: "replace", path: "/0/stickiness", value: "userId" }]),
});
const { example } = JSON.parse(readFileSync(document, "utf8")).components.parameters.changeId;
if (change.headers.get("burgee-change") !== example) throw new Error("The document's change was not made");

const args = ["--config-file", config, "run", document, "--url", url, ...process.argv.slice(2)];
// Schemathesis writes folders into its working folder.
const [code] = await once(
  spawn(path.join(programs, "schemathesis"), args, { cwd: programs, stdio: "inherit" }),
  "exit",
);
process.exit(code ?? 1);
