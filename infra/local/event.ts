/** Makes the event of an API Gateway HTTP API from a request (payload format 2.0). */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { parseQuery } from "../../lib/http/event.ts";
import { type DeclaredRoute, decode, decodePathParameters, splitUrl } from "./routes.ts";

export interface ReceivedRequest {
  method: string;
  /** Path and query as the client sent them. */
  url: string;
  /** Alternating names and values, as received. */
  rawHeaders: readonly string[];
  body: Buffer;
  sourceIp?: string;
  port?: number;
}

/** Headers that the gateway does not pass on (RFC 9110 section 7.6.1), or passes on in another member. */
const ownHeaders = /^(connection|keep-alive|proxy-connection|te|transfer-encoding|upgrade|cookie)$/;

/** Bodies of these types arrive as text, all others in base64. */
const textTypes = /^\s*(?:text\/[^;]*|application\/(?:json|xml|javascript))\s*(?:;|$)/i;

export function toEvent(request: ReceivedRequest, route: DeclaredRoute): APIGatewayProxyEventV2 {
  const { method, url, rawHeaders, sourceIp = "127.0.0.1", port = 80 } = request;
  const [encodedPath, rawQueryString] = splitUrl(url);
  const { cookies, headers } = sortHeaders(rawHeaders);
  const rawPath = decode(encodedPath) ?? encodedPath;
  const now = new Date();
  const parameters = decodePathParameters(route.path, encodedPath);
  return {
    version: "2.0",
    routeKey: route.routeKey,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers: {
      ...headers,
      "x-amzn-trace-id": `Root=1-${Math.floor(now.getTime() / 1000).toString(16)}-${randomUUID().replaceAll("-", "").slice(0, 24)}`,
      "x-forwarded-for": sourceIp,
      "x-forwarded-port": String(port),
      "x-forwarded-proto": "http",
    },
    ...(rawQueryString !== "" && { queryStringParameters: parseQuery(rawQueryString) }),
    ...(parameters && { pathParameters: parameters }),
    requestContext: {
      accountId: "anonymous",
      apiId: "local",
      domainName: headers.host ?? "localhost",
      domainPrefix: "local",
      http: {
        method,
        path: rawPath,
        protocol: "HTTP/1.1",
        sourceIp,
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: randomUUID(),
      routeKey: route.routeKey,
      stage: "$default",
      time: clfTime(now),
      timeEpoch: now.getTime(),
    },
    ...encodeBody(request.body, headers["content-type"]),
  };
}

/** Encodes a body that is not UTF-8 in base64, whatever its type, so that no byte is lost. */
function encodeBody(bytes: Buffer, contentType = "") {
  if (bytes.length === 0) return { isBase64Encoded: false };
  const text = textTypes.test(contentType) ? bytes.toString("utf8") : undefined;
  const isText = text !== undefined && Buffer.from(text).equals(bytes);
  return { body: isText ? text : bytes.toString("base64"), isBase64Encoded: !isText };
}

/** Lower-cases names, joins repeated headers by commas, and separates cookies. */
function sortHeaders(raw: readonly string[]): { headers: Record<string, string>; cookies: string[] } {
  const headers = new Map<string, string>();
  const cookies: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at]?.toLowerCase(), raw[at + 1]];
    if (name === "cookie") cookies.push(...value.split(/;\s*/));
    if (ownHeaders.test(name)) continue;
    headers.set(name, headers.has(name) ? `${headers.get(name)},${value}` : value);
  }
  return { headers: Object.fromEntries(headers), cookies };
}

/** "21/Nov/2026:09:48:00 +0000" */
function clfTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}
