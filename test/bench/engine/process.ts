/** Runs dynalite in a process of its own, to separate its time. Counts its calls, and what AWS would charge for them. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createDynalite } from "../../../infra/local/dynalite.ts";
import type { Charge } from "./start.ts";

const [answer] = createDynalite().listeners("request");
let charges: Charge[] = [];

async function measured(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { headers, method, url } = request;
  const received = Buffer.concat(await request.toArray());
  // A request without a body is no call; dynalite refuses it.
  const body = received.length === 0 ? received : withCapacity(received);
  const { end } = response;
  response.end = (chunk?: unknown, ...rest: unknown[]) => {
    const call = String(headers["x-amz-target"]).split(".")[1] ?? "";
    charges.push({ call, units: unitsIn(chunk) });
    return end.call(response, chunk, ...(rest as [BufferEncoding]));
  };
  const complete = { headers: { ...headers, "content-length": String(body.length) }, method, url };
  answer?.(Object.assign(Readable.from([body]), complete), response);
}

function withCapacity(body: Buffer): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(String(body)), ReturnConsumedCapacity: "TOTAL" }));
}

function unitsIn(answer: unknown): number {
  const { ConsumedCapacity } = JSON.parse(String(answer || "{}"));
  return [ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}

const certificate = readFileSync("test/bench/engine/localhost.pem");
// The SDK behaves differently over plain HTTP, so measured calls use TLS; those that fill the table need not.
const servers = [
  createTlsServer({ key: certificate, cert: certificate }, measured),
  createPlainServer(measured),
];
for (const server of servers) server.listen(0, "127.0.0.1");
await Promise.all(servers.map((server) => once(server, "listening")));
const [tlsPort, plainPort] = servers.map((server) => (server.address() as AddressInfo).port);
process.on("message", () => {
  process.send?.(charges);
  charges = [];
});
process.on("disconnect", () => process.exit());
process.send?.({ tlsPort, plainPort });
