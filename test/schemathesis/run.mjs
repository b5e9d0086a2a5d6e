/** `npm run schemathesis`: tests the local server with Schemathesis, which knows only its OpenAPI document. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { buildAll } from "../../esbuild.config.mjs";
import { fetchPython } from "../../infra/build/fetch.mjs";

const config = path.resolve("test/schemathesis/schemathesis.toml");
const document = path.resolve("infra/reference/openapi.json");

const programs = fetchPython("schemathesis", "test/schemathesis/requirements.txt");
await buildAll();
const { startBurgee } = await import("burgee/local");

/** A server on which the change of the document's examples is made: its id follows from this idempotency key. */
async function start() {
  const { url, keys } = await startBurgee();
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
  return url;
}

/**
 * Runs this part on a server of its own, and shows the output at the end: they run side by side.
 * @param {readonly string[]} part
 */
async function run(part) {
  const url = await start();
  const given = [...part, ...process.argv.slice(2)];
  // Schemathesis writes folders into its working folder.
  const child = spawn(
    path.join(programs, "schemathesis"),
    ["--config-file", config, "run", document, "--url", url, ...given],
    { cwd: programs, stdio: ["ignore", "pipe", "inherit"] },
  );
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  process.stdout.write(output);
  return code ?? 1;
}

// Fuzzing takes longest, and the requests with POST as long as all others.
const parts = process.argv.includes("--phases")
  ? [[]]
  : [
      ["--phases", "fuzzing", "--include-method", "POST"],
      ["--phases", "fuzzing", "--exclude-method", "POST"],
      ["--phases", "examples,coverage,stateful"],
    ];
const codes = await Promise.all(parts.map(run));
process.exit(Math.max(...codes));
