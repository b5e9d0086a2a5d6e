/** A call over HTTP, and what of its answer is the same wherever the functions run. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { LookupFunction } from "node:net";
import { text } from "node:stream/consumers";
import type { Response } from "../support/burgee.ts";

export interface Call {
  method: string;
  path: string;
  headers?: Record<string, string | undefined>;
  body?: string;
}

const demoKey = "burgee-demo-key-for-this-machine";

/** Of each connection or each request, or added by one server and not by another. */
const passing = new Set([
  ...["connection", "keep-alive", "date", "content-length", "transfer-encoding", "apigw-requestid"],
]);

/** Whatever the name of the API, it is on this machine. */
const lookup: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: "127.0.0.1", family: 4 }]);
  else callback(null, "127.0.0.1", 4);
};

/** With the demo's key and as JSON, unless the call says otherwise. */
export async function call(
  base: string,
  { method, path, headers: given, body = "" }: Call,
): Promise<Response> {
  const all = { authorization: demoKey, "content-type": "application/json", ...given };
  const sent = Object.entries(all).filter(([, value]) => value !== undefined);
  const outgoing = request(`${base}${path}`, {
    method,
    lookup,
    agent: false,
    headers: { ...Object.fromEntries(sent), "content-length": Buffer.byteLength(body) },
  });
  outgoing.end(body);
  const [incoming]: [IncomingMessage] = (await once(outgoing, "response")) as [IncomingMessage];
  const kept = Object.entries(incoming.headers).filter(([name]) => !passing.has(name));
  const headers = Object.fromEntries(kept) as Record<string, string>;
  const json = JSON.parse(await text(incoming));
  // Fresh in each answer, and for each write.
  if (json.id !== undefined) json.id = blank(json.id);
  if (headers.etag !== undefined) headers.etag = blank(headers.etag);
  return { status: incoming.statusCode ?? 0, headers, json };
}

function blank(id: string): string {
  return id.replaceAll(/[\w-]/g, "0");
}
