/** Sends a request to the server: by an HTTP client, or as raw bytes. */
import { once } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, request as open } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Request } from "./requests.ts";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const longestMs = 10_000;
/** The time that the server gets to read what was sent. */
const readMs = 25;

export async function sendByHttp(port: number, request: Request): Promise<Answer> {
  const { method, headers } = request;
  const body = Buffer.from(request.body);
  const path = request.path.replaceAll(/[^\u0021-\u00ff]/g, "%20");
  const length = method === "GET" && body.length === 0 ? {} : { "content-length": body.length };
  const options = { port, method, path, agent, headers: { ...headers, ...length }, timeout: longestMs };
  for (;;) {
    const sending = open(options);
    sending.on("timeout", () => sending.destroy(new Error(`no response within ${longestMs} ms`)));
    sending.end(body);
    try {
      return await answerTo(sending);
    } catch (error) {
      // The server may close a kept-alive connection just as it is reused (RFC 9112 section 9.3.1).
      if (!sending.reusedSocket || (error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
    }
  }
}

async function answerTo(sending: ClientRequest): Promise<Answer> {
  const [incoming]: [IncomingMessage] = (await once(sending, "response")) as [IncomingMessage];
  const body = Buffer.concat(await incoming.toArray()).toString();
  return { status: incoming.statusCode ?? 0, headers: incoming.headers as Record<string, string>, body };
}

/** Returns all bytes until the server closes the connection; none if the client closes it first. */
export async function sendBytes(port: number, bytes: Buffer, hangUpAfter?: number): Promise<Buffer> {
  const socket = connect({ port, host: "127.0.0.1" });
  const received: Buffer[] = [];
  // A connection that the server resets counts as closed.
  socket.on("error", () => {});
  socket.on("data", (chunk) => received.push(chunk));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "connect");
  if (hangUpAfter !== undefined) {
    socket.write(bytes.subarray(0, hangUpAfter % (bytes.length + 1)), () => socket.destroy());
    await closed;
    await wait(readMs);
    return Buffer.alloc(0);
  }
  socket.write(bytes);
  // The server waits for the rest of an incomplete request, and does not respond once the client has closed its half.
  const isClosed = await Promise.race([closed.then(() => true), wait(readMs, false)]);
  if (!isClosed) socket.end();
  const late = AbortSignal.timeout(longestMs);
  late.addEventListener("abort", () => socket.destroy(new Error("the connection was left open")));
  await closed;
  if (late.aborted) throw new Error("the server left a connection open that the client had closed");
  return Buffer.concat(received);
}
