/** Makes the event of an API Gateway HTTP API from a request (payload format 2.0), as far as functions read it. */
import { randomUUID } from "node:crypto";
import { parseQuery } from "../../lib/http/event.ts";
import { type DeclaredRoute, decode, decodePathParameters, splitUrl } from "./routes.ts";

export interface HttpRequest {
  method: string;
  /** Path and query as the client sent them. */
  url: string;
  /** Names and values alternate, as received. */
  rawHeaders: readonly string[];
  body: Buffer;
}

/** Headers that the gateway does not pass on (RFC 9110 section 7.6.1), or puts elsewhere, where no function looks. */
const ownHeaders = /^(connection|keep-alive|proxy-connection|te|transfer-encoding|upgrade|cookie)$/;

/** Bodies of these types arrive as text, all others in base64. */
const textTypes = /^\s*(?:text\/[^;]*|application\/(?:json|xml|javascript))\s*(?:;|$)/i;

export function toEvent({ method, url, rawHeaders, body }: HttpRequest, { path, routeKey }: DeclaredRoute) {
  const [encodedPath, rawQueryString] = splitUrl(url);
  const headers = joinHeaders(rawHeaders);
  const parameters = decodePathParameters(path, encodedPath);
  return {
    version: "2.0",
    routeKey,
    rawPath: decode(encodedPath) ?? encodedPath,
    rawQueryString,
    headers,
    ...(rawQueryString !== "" && { queryStringParameters: parseQuery(rawQueryString) }),
    ...(parameters && { pathParameters: parameters }),
    requestContext: { requestId: randomUUID(), http: { method } },
    ...encodeBody(body, headers["content-type"]),
  };
}

/** A body that is not UTF-8 is base64 whatever its type, so that no byte is lost. */
function encodeBody(bytes: Buffer, contentType = "") {
  if (bytes.length === 0) return { isBase64Encoded: false };
  const text = textTypes.test(contentType) ? bytes.toString("utf8") : undefined;
  const isText = text !== undefined && Buffer.from(text).equals(bytes);
  return { body: isText ? text : bytes.toString("base64"), isBase64Encoded: !isText };
}

/** Lower-cases names, and joins repeated headers by commas. */
function joinHeaders(raw: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at]?.toLowerCase(), raw[at + 1]];
    if (ownHeaders.test(name)) continue;
    headers.set(name, headers.has(name) ? `${headers.get(name)},${value}` : value);
  }
  return Object.fromEntries(headers);
}
