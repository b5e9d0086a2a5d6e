/** Starts the local server, with features, in memory or with a data folder. */
import { rmSync, writeFileSync } from "node:fs";
import { freePort } from "../../support/listening.ts";
import { key, stateWith, tagsOf } from "../requests.ts";
import { features, startProcess, strategy, type Target, untilReady } from "./target.ts";

const state = "dist/bench/state.json";
const data = "dist/bench/data";

export async function startBurgee({ hasFolder = false } = {}): Promise<Target> {
  writeFileSync(
    state,
    JSON.stringify(
      stateWith({ names: features, strategies: [{ ...strategy, id: "gradual", sortOrder: 0 }] }),
    ),
  );
  rmSync(data, { recursive: true, force: true });
  const port = String(await freePort());
  const folder = hasFolder ? ["--data", data] : [];
  startProcess(["dist/tools/start.mjs", "--port", port, "--state", state, ...folder]);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url + tagsOf("feature-0"), { authorization: key });
  return {
    url,
    authorization: key,
    projectOf: (feature) => feature,
    strategyOf: () => "gradual",
    environment: "environment-0",
  };
}
