/** `npm run schemathesis`: Schemathesis makes requests from the OpenAPI document, and sends them to the local server. */
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

/**
 * Starts a server, and makes the change that the examples of the document undo. This idempotency key gives it its id.
 */
async function startWithChange() {
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
  const id = change.headers.get("burgee-change");
  const isNamed = readFileSync(config, "utf8").includes(`["${example}"]`);
  if (id !== example || !isNamed)
    throw new Error(
      `The change ${id} is not that of the document, ${example}, or of ${config}: ${change.status}`,
    );
  return url;
}

/**
 * Runs one part on a server of its own, and prints its standard output at the end: all parts run at once.
 * @param {readonly string[]} part
 */
async function run(part) {
  const url = await startWithChange();
  const given = [...part, ...process.argv.slice(2)];
  // Schemathesis writes folders into its working folder: not into the repository.
  const child = spawn(
    path.join(programs, "schemathesis"),
    ["--config-file", config, "run", document, "--url", url, ...given],
    { cwd: programs, stdio: ["ignore", "pipe", "inherit"] },
  );
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  process.stdout.write(output);
  return code ?? 1;
}

// Fuzzing takes longest, so it is split: requests with POST take as long as all others. What is selected by options is one part.
const parts = process.argv.some((option) => /^--(phases|include|exclude)/.test(option))
  ? [[]]
  : [
      ["--phases", "fuzzing", "--include-method", "POST"],
      ["--phases", "fuzzing", "--exclude-method", "POST"],
      ["--phases", "examples,coverage,stateful"],
    ];
const codes = await Promise.all(parts.map(run));
process.exit(Math.max(...codes));
