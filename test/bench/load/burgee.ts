/** Prepares the local server, with features. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../../support/listening.ts";
import { apiKey, key, stateWith } from "../requests.ts";
import { megabytesOf, readProcesses, startedBy } from "./memory.ts";
import { startProcess } from "./server-process.ts";
import { features, type Prepared, richFeatures, type Target, untilReady } from "./target.ts";

/** Every start has the same data, which the first one stored. */
export async function prepareBurgee(): Promise<Prepared> {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-bench-"));
  const file = path.join(folder, "state.json");
  const states = [
    ...features.map((name) => stateWith({ name })),
    ...richFeatures.map((name) => stateWith({ name, isRich: true })),
  ];
  const all = {
    ...apiKey,
    projects: states.flatMap(({ projects }) => projects),
    features: states.flatMap((one) => one.features),
  };
  writeFileSync(file, JSON.stringify(all));
  const startHere = () => start("--state", file, "--data", folder);
  await (await startHere()).stop();
  return { start: startHere, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

async function start(...options: string[]): Promise<Target> {
  const startedAt = performance.now();
  const port = await freePort();
  const server = startProcess(["dist/tools/start.mjs", "--port", String(port), ...options], process.env);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(`${url}/api/admin/features/${features[0]}/tags`, { authorization: key });
  const boot = performance.now() - startedAt;
  return {
    url,
    authorization: key,
    projectOf: (feature) => feature,
    environment: "environment-0",
    boot,
    async readMemory() {
      const processes = await readProcesses();
      return {
        server: await megabytesOf(processes.filter((one) => one.pid === server.pid)),
        database: await megabytesOf(startedBy(processes, server.pid)),
      };
    },
    stop: () => server.end("SIGTERM"),
  };
}
