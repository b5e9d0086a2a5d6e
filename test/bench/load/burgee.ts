/** Prepares the local server, with features. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../../support/listening.ts";
import { apiKey, key, stateWith, tagsOf } from "../requests.ts";
import { features, type Prepared, startProcess, type Target, untilReady } from "./target.ts";

/** Every start has the same data, which the first one stored. */
export async function prepareBurgee(): Promise<Prepared> {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-bench-"));
  const file = path.join(folder, "state.json");
  const states = features.map((name) => stateWith({ name }));
  const all = {
    ...apiKey,
    projects: states.flatMap(({ projects }) => projects),
    features: states.flatMap((one) => one.features),
  };
  writeFileSync(file, JSON.stringify(all));
  return {
    start: () => start("--state", file, "--data", folder),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function start(...options: string[]): Promise<Target> {
  const port = await freePort();
  const end = startProcess(["dist/tools/start.mjs", "--port", String(port), ...options], process.env);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url + tagsOf("feature-0"), { authorization: key });
  return {
    url,
    authorization: key,
    projectOf: (feature) => feature,
    environment: "environment-0",
    stop: () => end("SIGTERM"),
  };
}
