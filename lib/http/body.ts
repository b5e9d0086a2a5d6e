/** From an event's body to a value that the route's schema accepts. Size first, content last. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { check, summarize } from "../contract/check.ts";
import { ContentTypeError, PayloadTooLarge, ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { header } from "./header.ts";
import { inspect } from "./inspect.ts";
import type { RouteBody } from "./route.ts";

export function readBody({ accepts, schema }: RouteBody<unknown>, event: APIGatewayProxyEventV2): unknown {
  const { isBase64Encoded } = event;
  const body = event.body ?? "";
  if (byteLength(body, isBase64Encoded) > limits.bodyBytes) {
    throw new PayloadTooLarge(`the body is larger than ${limits.bodyBytes / 1024} KiB`);
  }
  requireMediaType(header(event, "content-type"), accepts, event.requestContext.http.method);
  const input = parse(decode(body, isBase64Encoded));
  const { value, faults } = check(schema, input);
  if (faults)
    throw new ValidationError(`the body does not conform: ${summarize(faults)}`, { details: faults });
  return value;
}

/** Told from the length alone, before anything is decoded. */
function byteLength(body: string, isBase64Encoded: boolean): number {
  return Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8");
}

/** RFC 9110 section 8.3.1: type and subtype in any letter case, parameters after a semicolon. */
function requireMediaType(contentType = "", accepts: readonly string[], method: string): void {
  const mediaType = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (accepts.includes(mediaType)) return;
  const list = accepts.join(", ");
  // RFC 5789 section 2.2: a refused patch format is answered with those that are supported.
  const headers: Record<string, string> = method === "PATCH" ? { "accept-patch": list } : { accept: list };
  throw new ContentTypeError(`the content-type must be ${accepts.join(" or ")}`, { headers });
}

/** By the flag alone: API Gateway encodes whatever type it does not take for text, `application/json-patch+json` too. */
function decode(body: string, isBase64Encoded: boolean): string {
  if (!isBase64Encoded) return body.replace(/^\uFEFF/, "");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(body, "base64"));
  } catch (cause) {
    throw new ValidationError("the body is not valid UTF-8", { cause });
  }
}

function parse(text: string): unknown {
  if (text.trim() === "") throw new ValidationError("the body is empty");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ValidationError("the body is not valid JSON", { cause });
  }
  const faults = inspect(value);
  if (faults.length > 0)
    throw new ValidationError(`the body is refused: ${summarize(faults)}`, { details: faults });
  return value;
}
