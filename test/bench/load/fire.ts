/** Runs concurrent callers, each of which sends a request as soon as it has the response to the previous one. */
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { quantile } from "../statistics.ts";
import type { Target } from "./target.ts";

export interface Fired {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Responses that were not 2xx. */
  refused: number;
}

export interface Shot {
  method: "PUT" | "PATCH" | "POST";
  path: string;
  body: unknown;
}

/** Numbers the requests of all runs, so that each can write a new value. */
let number = 0;

/** `send` gets the numbers of the caller and of the request, and returns the status. */
export async function fire(
  send: (caller: number, number: number) => Promise<number>,
  callers: number,
  seconds: number,
): Promise<Fired> {
  const until = performance.now() + seconds * 1000;
  const durations: number[] = [];
  let refused = 0;
  const loop = async (caller: number) => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const status = await send(caller, number++);
      if (status < 300) durations.push(performance.now() - startedAt);
      else refused++;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)));
  durations.sort((left, right) => left - right);
  const [p50, p99] = [quantile(durations, 0.5), quantile(durations, 0.99)];
  return { perSecond: durations.length / seconds, p50, p99, refused };
}

/** Fires at a server, over a kept-alive connection for each caller. */
export async function fireAt(
  { url, authorization }: Target,
  shoot: (caller: number, number: number) => Shot,
  callers: number,
  seconds: number,
): Promise<Fired> {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization, "content-type": "application/json" };
  const send = (caller: number, number: number) =>
    new Promise<number>((resolve, reject) => {
      const { method, path, body } = shoot(caller, number);
      const sent = request(url + path, { method, agent, headers }, async (response) => {
        await text(response);
        resolve(response.statusCode ?? 0);
      });
      sent.on("error", reject).end(JSON.stringify(body));
    });
  const fired = await fire(send, callers, seconds);
  agent.destroy();
  return fired;
}
