/** Parses an event's body into a value that the route's schema accepts. Size first, content last. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ContentTypeError, PayloadTooLarge, ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { type Issue, summarize, validate, validateJson } from "../contract/validate.ts";
import { header } from "./headers.ts";
import type { RouteBody } from "./route.ts";

export function readBody({ accepts, schema }: RouteBody<unknown>, event: APIGatewayProxyEventV2): unknown {
  const { isBase64Encoded } = event;
  const body = event.body ?? "";
  if (byteLength(body, isBase64Encoded) > limits.bodyBytes) {
    throw new PayloadTooLarge(`The body is larger than ${limits.bodyBytes / 1024} KiB`);
  }
  requireNoEncoding(header(event, "content-encoding"));
  requireMediaType(header(event, "content-type"), accepts, event.requestContext.http.method);
  const input = parse(decode(body, isBase64Encoded));
  const { value, issues } = validate(schema, input);
  if (issues) throw invalidBody(issues);
  return value;
}

/** From the length alone, before anything is decoded. */
function byteLength(body: string, isBase64Encoded: boolean): number {
  return Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8");
}

/** RFC 9110 section 15.5.16: a refused coding is answered with those that are supported. */
function requireNoEncoding(encoding = ""): void {
  const refused = encoding.trim();
  if (refused === "" || refused.toLowerCase() === "identity") return;
  const headers = { "accept-encoding": "identity" };
  throw new ContentTypeError(`Content-Encoding "${refused}" is not supported; send the body unencoded`, {
    headers,
  });
}

/** RFC 9110 section 8.3.1: type and subtype in any letter case, parameters after a semicolon. */
function requireMediaType(contentType = "", accepts: readonly string[], method: string): void {
  const mediaType = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (accepts.includes(mediaType)) return;
  const list = accepts.join(", ");
  // RFC 5789 section 2.2: a refused patch format is answered with those that are supported.
  const headers: Record<string, string> = method === "PATCH" ? { "accept-patch": list } : { accept: list };
  throw new ContentTypeError(`The Content-Type must be ${accepts.join(" or ")}`, { headers });
}

/** By the flag alone: API Gateway encodes every type that it does not know as text, `application/json-patch+json` too. */
function decode(body: string, isBase64Encoded: boolean): string {
  if (!isBase64Encoded) return body.replace(/^\uFEFF/, "");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(body, "base64"));
  } catch (cause) {
    throw new ValidationError("The body is not valid UTF-8", { cause });
  }
}

function parse(text: string): unknown {
  if (text.trim() === "") throw new ValidationError("The body is empty");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ValidationError("The body is not valid JSON", { cause });
  }
  const issues = validateJson(value);
  if (issues.length > 0) throw invalidBody(issues);
  return value;
}

function invalidBody(details: Issue[]): ValidationError {
  return new ValidationError(`The body is invalid: ${summarize(details)}`, { details });
}
