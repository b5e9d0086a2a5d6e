/** A fake AWS that records every byte that a client sends, and responds by a script. */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { createServer, type Socket } from "node:net";
import { listen } from "../listening.ts";

export type Answer = "hang up" | { status?: number; headers?: Record<string, string>; body?: unknown };

/** The response to calls beyond the script: an error that is not retried. */
const atTheEnd: Answer = { status: 400, body: { __type: "EndOfScript" } };

export interface Scripted {
  answers: Answer[];
  /** Each request as it was received, after the address that it was sent to. */
  requests: string[];
  close(): void;
}

export async function startScripted(): Promise<Scripted> {
  const scripted: Scripted = { answers: [], requests: [], close: () => server.close() };
  const server = createServer((socket) => serve(socket, scripted));
  redirect(await listen(server), scripted.requests);
  return scripted;
}

/** Redirects every address to this server, in plain text instead of TLS. */
function redirect(port: number, requests: string[]): void {
  const { request } = http;
  for (const [scheme, module] of Object.entries({ http, https })) {
    const redirected = (
      options: RequestOptions,
      callback: (answer: IncomingMessage) => void,
    ): ClientRequest => {
      requests.push(`${scheme}://${options.host}:${options.port ?? ""}`);
      return request({ ...options, host: "127.0.0.1", port, agent: false }, callback);
    };
    Object.assign(module, { request: redirected });
  }
}

function serve(socket: Socket, { answers, requests }: Scripted): void {
  let received = "";
  socket.setEncoding("latin1").on("data", (text) => {
    received += text;
    const end = received.indexOf("\r\n\r\n") + 4;
    const length = Number(/^content-length: (\d+)/im.exec(received)?.[1] ?? 0);
    if (end < 4 || received.length < end + length) return;
    requests.push(received);
    received = "";
    const answer = answers.shift() ?? atTheEnd;
    if (answer === "hang up") return void socket.destroy();
    socket.end(format(answer), "utf8");
  });
  socket.on("error", () => {});
}

function format({ status = 200, headers = {}, body = {} }: Exclude<Answer, string>): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const lines = Object.entries({
    "content-type": "application/x-amz-json-1.0",
    "content-length": Buffer.byteLength(text),
    "x-amzn-requestid": "REQUEST",
    connection: "close",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} Scripted`, ...lines, "", text].join("\r\n");
}
