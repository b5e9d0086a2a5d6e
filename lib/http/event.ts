/** Reads the request in an event: the one place that knows API Gateway's payload format 2.0. */
import * as z from "zod/mini";
import { ValidationError } from "../contract/errors.ts";
import { summarize, validate } from "../contract/validate.ts";

const texts = z.catchall(z.object({}), z.string());

/** The members that are read. */
const eventSchema = z.object({
  version: z.enum(["2.0"]),
  routeKey: z.string(),
  rawPath: z.string(),
  rawQueryString: z.string(),
  headers: texts,
  queryStringParameters: z.optional(texts),
  pathParameters: z.optional(texts),
  requestContext: z.object({ requestId: z.string(), http: z.object({ method: z.string() }) }),
  body: z.optional(z.string()),
  isBase64Encoded: z.boolean(),
});

type Texts = Readonly<Record<string, string>>;

export interface HttpRequest {
  id: string;
  method: string;
  /** As it was declared: "ANY /api/{name}". */
  routeKey: string;
  rawPath: string;
  /** Decoded; none where the path could not be decoded. */
  pathParameters: Texts;
  query: Texts;
  /** By their names in lower case. */
  headers: Texts;
  body: string;
  isBase64Encoded: boolean;
}

export function readEvent(input: unknown): HttpRequest {
  const { value: event, issues } = validate(eventSchema, input);
  if (issues) {
    throw new ValidationError(
      `This is not an event of API Gateway's payload format 2.0: ${summarize(issues)}`,
    );
  }
  const { routeKey, rawPath, pathParameters = {}, body = "", isBase64Encoded } = event;
  const { requestId, http } = event.requestContext;
  return {
    ...{ id: requestId, method: http.method, routeKey, rawPath, pathParameters },
    // API Gateway sends the query in both forms; who edits an event may edit either.
    query: { ...parseQuery(event.rawQueryString), ...event.queryStringParameters },
    headers: withLowerCaseNames(event.headers),
    ...{ body, isBase64Encoded },
  };
}

/** Joins repeated parameters by commas. */
export function parseQuery(text: string): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(values);
}

/** API Gateway sends them in lower case; hand-made events need not. */
function withLowerCaseNames(headers: Texts): Texts {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
