/** Parses a body: checks its size and its media type, and validates what it contains by the schema of the route. */
import { ContentTypeError, PayloadTooLarge, ValidationError } from "../contract/errors.ts";
import { findExcess, findJsonIssues, type ValueIssue } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import { summarise, validate } from "../contract/validate.ts";
import type { HttpRequest } from "./event.ts";
import type { RouteBody } from "./route.ts";

export function parseBody(
  request: HttpRequest,
  { accepts, schema, isOptional }: RouteBody<unknown>,
): unknown {
  const { body, isBase64Encoded } = request;
  if (isOptional && body === "") return {};
  if (Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8") > limits.bodyBytes) {
    throw new PayloadTooLarge(`The body is larger than ${limits.bodyBytes / 1024} KiB`);
  }
  requireMediaType(request, accepts);
  const input = parseJson(decode(body, isBase64Encoded));
  const excess = findExcess(input);
  if (excess) throw invalid([excess]);
  const jsonIssues = findJsonIssues(input);
  const { value, issues = [] } = validate(schema, input);
  const schemaIssues = issues.filter(({ path }) => jsonIssues.every((issue) => issue.path !== path));
  const details = [...jsonIssues, ...schemaIssues].slice(0, limits.listedIssues);
  if (details.length > 0) throw invalid(details);
  return value;
}

function invalid(details: readonly ValueIssue[]): ValidationError {
  return new ValidationError(`The body is invalid: ${summarise(details)}`, { details });
}

/** A refusal lists what is supported: RFC 9110 section 15.5.16, RFC 5789 section 2.2. */
function requireMediaType({ method, headers: sent }: HttpRequest, accepts: readonly string[]): void {
  const headers = { [method === "PATCH" ? "accept-patch" : "accept"]: accepts.join(", ") };
  const encoding = sent["content-encoding"]?.trim() ?? "";
  if (encoding !== "" && encoding.toLowerCase() !== "identity") {
    throw new ContentTypeError(`Content-Encoding "${encoding}" is not supported; send the body unencoded`, {
      headers: { ...headers, "accept-encoding": "identity" },
    });
  }
  const mediaType = sent["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (!accepts.includes(mediaType ?? "")) {
    throw new ContentTypeError(`The Content-Type must be ${accepts.join(" or ")}`, { headers });
  }
}

/**
 * API Gateway encodes bodies of some types, such as `application/json-patch+json`, in base64. Only the flag says which.
 */
function decode(body: string, isBase64Encoded: boolean): string {
  if (!isBase64Encoded) return body.replace(/^\uFEFF/, "");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(body, "base64"));
  } catch (cause) {
    throw new ValidationError("The body is not valid UTF-8", { cause });
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === "") throw new ValidationError("The body is empty");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ValidationError("The body is not valid JSON", { cause });
  }
}
