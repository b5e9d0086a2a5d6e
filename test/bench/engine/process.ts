/** dynalite in a process of its own, so that its time is nobody else's. It counts what it is asked, and what AWS would charge. */
import { once } from "node:events";
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createDynalite } from "../../../infra/local/dynalite.ts";
import { makeCertificate } from "./certificate.ts";
import type { Charge } from "./start.ts";

const [answer] = createDynalite().listeners("request");
let charges: Charge[] = [];

async function measured(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { headers, method, url } = request;
  const asked = Buffer.concat(await request.toArray());
  // Without a body it is no call, and dynalite knows what to say.
  const body = asked.length === 0 ? asked : withCapacity(asked);
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

const certificate = makeCertificate();
// The SDK does not speak plain HTTP as it speaks TLS, so what is measured speaks TLS; who fills the table need not.
const servers = [createTlsServer(certificate, measured), createPlainServer(measured)];
for (const server of servers) server.listen(0, "127.0.0.1");
await Promise.all(servers.map((server) => once(server, "listening")));
const [tlsPort, plainPort] = servers.map((server) => (server.address() as AddressInfo).port);
process.on("message", () => {
  process.send?.(charges);
  charges = [];
});
process.on("disconnect", () => process.exit());
process.send?.({ tlsPort, plainPort, cert: certificate.cert });
