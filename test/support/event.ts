/** Events as an HTTP API sends them (payload format 2.0). */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";

export interface HttpRequest {
  method: string;
  /** As a client writes it: percent-encoded. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | undefined;
}

/** As the gateway declares them: any method, so that an unknown one is answered by the handler. */
const declaredPaths = [
  "/api/admin/features/{featureName}/tags",
  "/api/admin/projects/{projectId}/features/{featureName}/variants",
];

/** HTTP APIs take these for text, and hand everything else over in base64. */
const textTypes = /^(text\/.*|application\/(json|javascript|xml))(;|$)/i;

export function toEvent({ method, path, headers = {}, body }: HttpRequest): APIGatewayProxyEventV2 {
  const [encodedPath = "", rawQueryString = ""] = path.split("?");
  const declared = declaredPaths.find((pattern) => pathPattern(pattern).test(encodedPath));
  const pathParameters = declared && pathPattern(declared).exec(encodedPath)?.groups;
  const isText = typeof body === "string" && textTypes.test(headers["content-type"] ?? "");
  return {
    version: "2.0",
    routeKey: declared ? `ANY ${declared}` : "$default",
    rawPath: decode(encodedPath),
    rawQueryString,
    headers: { host: "api.example.com", "x-forwarded-for": "192.0.2.1", ...headers },
    ...(pathParameters && isDecodable(encodedPath) && { pathParameters: decodeAll(pathParameters) }),
    requestContext: {
      accountId: "123456789012",
      apiId: "a1b2c3d4e5",
      domainName: "api.example.com",
      domainPrefix: "api",
      http: {
        method,
        path: decode(encodedPath),
        protocol: "HTTP/1.1",
        sourceIp: "192.0.2.1",
        userAgent: "test",
      },
      requestId: randomUUID(),
      routeKey: declared ? `ANY ${declared}` : "$default",
      stage: "$default",
      time: "21/Nov/2026:09:00:00 +0000",
      timeEpoch: 1_795_251_600_000,
    },
    ...(body !== undefined && { body: isText ? body : Buffer.from(body).toString("base64") }),
    isBase64Encoded: body !== undefined && !isText,
  };
}

/** What Lambda tells a handler of the invocation; only the time that is left counts here. */
export function toContext(timeoutMs = 15_000): Context {
  const endsAt = Date.now() + timeoutMs;
  return { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => endsAt - Date.now() } as Context;
}

function pathPattern(declared: string): RegExp {
  return new RegExp(`^${declared.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function isDecodable(path: string): boolean {
  return decodeOrUndefined(path) !== undefined;
}

function decode(path: string): string {
  return decodeOrUndefined(path) ?? path;
}

function decodeAll(parameters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, decode(value)]));
}

function decodeOrUndefined(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
