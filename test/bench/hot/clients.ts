/** Runs clients of a server, each over a kept-alive connection. */
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Target } from "../load/target.ts";
import { loop } from "./loop.ts";
import { type Load, type Run, toRun } from "./run.ts";

export async function runClients(target: Target, load: Load, count: number, seconds: number): Promise<Run> {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const loops = Array.from({ length: count }, (_, index) => {
    const feature = `feature-${load === "one feature" ? 0 : index}`;
    return loop((value) => send(target, agent, feature, value), seconds);
  });
  const run = toRun(await Promise.all(loops), seconds);
  agent.destroy();
  return run;
}

function send({ url, authorization, projectOf }: Target, agent: Agent, feature: string, value: string) {
  const path = `/api/admin/projects/${projectOf(feature)}/features/${feature}/variants`;
  const body = JSON.stringify([{ op: "replace", path: "/0/stickiness", value }]);
  const headers = {
    authorization,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  return new Promise<number>((resolve, reject) => {
    const sent = request(url + path, { method: "PATCH", agent, headers }, async (response) => {
      await text(response);
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject).end(body);
  });
}
