/** Runs clients of a server, each over a kept-alive connection, which send a request after each response. */
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { quantile } from "../statistics.ts";
import type { Target } from "./target.ts";

export interface Shot {
  method: "PUT" | "PATCH";
  path: string;
  body: string;
}

export interface Fired {
  perSecond: number;
  /** Milliseconds. */
  p99: number;
  /** Responses that were not 2xx. */
  refused: number;
}

export async function fire(
  target: Target,
  shoot: (number: number) => Shot,
  connections: number,
  seconds: number,
): Promise<Fired> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + seconds * 1000;
  const durations: number[] = [];
  let [number, refused] = [0, 0];
  const loop = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const status = await send(target, agent, shoot(number++));
      if (status < 300) durations.push(performance.now() - startedAt);
      else refused++;
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  agent.destroy();
  durations.sort((left, right) => left - right);
  return { perSecond: durations.length / seconds, p99: quantile(durations, 0.99), refused };
}

function send({ url, authorization }: Target, agent: Agent, { method, path, body }: Shot) {
  const headers = {
    authorization,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  return new Promise<number>((resolve, reject) => {
    const sent = request(url + path, { method, agent, headers }, async (response) => {
      await text(response);
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject).end(body);
  });
}
