/** Turns an event of API Gateway, in payload format 2.0, into a request. */
import * as z from "zod/mini";
import { ValidationError } from "../contract/errors.ts";
import { summarise, validate } from "../contract/validate.ts";

const texts = z.catchall(z.object({}), z.string());

const eventSchema = z.object({
  version: z.enum(["2.0"]),
  routeKey: z.string(),
  rawPath: z.string(),
  rawQueryString: z.string(),
  headers: texts,
  // API Gateway leaves them out if empty; emulators send null.
  queryStringParameters: z.nullish(texts),
  pathParameters: z.nullish(texts),
  body: z.nullish(z.string()),
  requestContext: z.object({ requestId: z.string(), http: z.object({ method: z.string() }) }),
  isBase64Encoded: z.boolean(),
});

/** Whether a deployment tests the function by this event. Events of API Gateway have no such member. */
export const isSmokeTest = (input: unknown): boolean => Object(input).smokeTest === true;

type Texts = Readonly<Record<string, string>>;

export type HttpRequest = ReturnType<typeof parseEvent>;

export function parseEvent(input: unknown) {
  const { value: event, issues } = validate(eventSchema, input);
  if (issues) {
    throw new ValidationError(
      `This is not an event of API Gateway's payload format 2.0: ${summarise(issues)}`,
    );
  }
  const { requestContext, rawQueryString, queryStringParameters, pathParameters, body, ...rest } = event;
  return {
    ...rest,
    id: requestContext.requestId,
    method: requestContext.http.method,
    // API Gateway has decoded the parameters, and leaves out those that it could not decode.
    pathParameters: (pathParameters ?? {}) as Texts,
    // API Gateway sends the query in both forms; a hand-made event may have either.
    query: { ...parseQuery(rawQueryString), ...queryStringParameters } as Texts,
    // Hand-made events may have names that are not in lower case.
    headers: Object.fromEntries(
      Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
    ) as Texts,
    body: body ?? "",
  };
}

export function parseQuery(text: string): Record<string, string> {
  const values = new Map<string, string>();
  // `URLSearchParams` removes the added question mark. One that the text begins with belongs to the first name.
  for (const [name, value] of new URLSearchParams(`?${text}`)) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(values);
}

/** API Gateway passes preflights to the function, and adds the CORS headers itself. */
export function isPreflight({ method, headers }: HttpRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}
