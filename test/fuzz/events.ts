/** Alters the event that the gateway makes of a request. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import fc from "fast-check";

type Event = APIGatewayProxyEventV2;
type Twist = (event: Event) => Event;

const twists = new Map<string, Twist>([
  ["as the gateway makes it", (event) => event],
  ["an inverted isBase64Encoded", (event) => ({ ...event, isBase64Encoded: !event.isBase64Encoded })],
  ["the body in base64", (event) => encoded(event, "base64")],
  ["the body in base64 for URLs", (event) => encoded(event, "base64url")],
  ["no body", ({ body, ...event }) => event],
  ["no headers", (event) => ({ ...event, headers: {} })],
  [
    "upper-case names of headers",
    (event) => ({ ...event, headers: renamed(event, (name) => name.toUpperCase()) }),
  ],
  ["no parsed query", ({ queryStringParameters, ...event }) => event],
  ["no query", ({ queryStringParameters, ...event }) => ({ ...event, rawQueryString: "" })],
  ["a lone surrogate as the feature", (event) => named(event, "\ud800target")],
  ["an empty name of the feature", (event) => named(event, "")],
  ["the key of another item as the feature", (event) => named(event, "target#ENVIRONMENT#development")],
]);

export const twistName = fc.constantFrom(...twists.keys());

export function twist(name: string, event: Event): Event {
  return twists.get(name)?.(event) ?? event;
}

function encoded(event: Event, encoding: "base64" | "base64url"): Event {
  if (event.isBase64Encoded) return event;
  return { ...event, body: Buffer.from(event.body ?? "").toString(encoding), isBase64Encoded: true };
}

function renamed({ headers }: Event, rename: (name: string) => string): Event["headers"] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [rename(name), value]));
}

function named(event: Event, featureName: string): Event {
  return { ...event, pathParameters: { ...event.pathParameters, featureName } };
}
