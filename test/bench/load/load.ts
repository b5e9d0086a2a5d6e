/** `npm run bench -- --load`: the local server, its engine in a process of its own, under autocannon in this one. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { startServer } from "../../support/server.ts";
import { writeReport } from "../machine.ts";
import type { Options } from "../options.ts";
import { apiKey, key, stateWith } from "../requests.ts";
import { loadAutocannon } from "./autocannon.ts";
import { format, type LoadLine, tell, toLine } from "./lines.ts";
import { type Operation, operations } from "./operations.ts";

const features = Array.from({ length: 100 }, (_, index) => `feature-${index}`);
const seconds = 8;

export async function load({ minutes }: Options): Promise<number> {
  const autocannon = await loadAutocannon();
  const state = "dist/bench/load-state.json";
  const states = features.map((name) => stateWith({ name }));
  const all = {
    ...apiKey,
    projects: states.flatMap((one) => one.projects),
    features: states.flatMap((one) => one.features),
  };
  writeFileSync(state, JSON.stringify(all));
  const server = await startServer("--state", state);
  const lines: LoadLine[] = [];
  try {
    const fire = async (operation: Operation, connections: number, duration: number) => {
      const memory: number[] = [];
      const watch = setInterval(() => memory.push(residentMegabytes(server.process.pid)), 1000);
      const { method, shot } = operations[operation];
      let number = 0;
      const setupRequest = (request: object) => {
        const feature = features[Math.floor(Math.random() * features.length)] ?? "";
        return { ...request, ...shot(feature, number++) };
      };
      const headers = { authorization: key, "content-type": "application/json" };
      const fired = await autocannon({
        url: server.url,
        connections,
        duration,
        method,
        headers,
        requests: [{ setupRequest }],
      });
      clearInterval(watch);
      lines.push(toLine(operation, connections, duration, fired, memory));
      console.log(`${operation} at ${connections}: ${lines.at(-1)?.perSecond.toFixed(0)} requests/s`);
    };
    for (const operation of ["tag update", "variant patch"] as const) {
      await fire(operation, 10, 3);
      lines.pop();
      for (const connections of [1, 10, 50]) await fire(operation, connections, seconds);
    }
    for (const operation of ["tag update", "variant patch"] as const) await fire(operation, 10, minutes * 30);
  } finally {
    await server.kill();
  }
  console.log(`\n${format(lines)}`);
  await writeReport("load", { node: process.version, lines });
  return tell(lines);
}

function residentMegabytes(pid = 0): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}
