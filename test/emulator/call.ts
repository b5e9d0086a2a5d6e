/** Calls a stage over HTTP, and returns the parts of the response that do not depend on where the functions run. */
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

/** Headers of a connection or a request, or that only some servers add. */
const passing = new Set([
  ...["connection", "keep-alive", "date", "content-length", "transfer-encoding", "apigw-requestid"],
]);

/** Resolves every name of an API to this machine. */
const lookup: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: "127.0.0.1", family: 4 }]);
  else callback(null, "127.0.0.1", 4);
};

/** Uses the demo's key and JSON, unless the call overrides them. */
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
  // New in each response, and for each write.
  if (json.id !== undefined) json.id = blank(json.id);
  for (const name of ["etag", "burgee-change"]) {
    if (headers[name] !== undefined) headers[name] = blank(headers[name]);
  }
  return { status: incoming.statusCode ?? 0, headers, json };
}

function blank(id: string): string {
  return id.replaceAll(/[\w-]/g, "0");
}
