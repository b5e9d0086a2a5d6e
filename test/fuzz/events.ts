/** Alters the event that the gateway makes of a request, as other sources of events would. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";

type Event = APIGatewayProxyEventV2;

export const twists: Readonly<Record<string, (event: Event) => Event>> = {
  "as the gateway makes it": (event) => event,
  "an inverted isBase64Encoded": (event) => ({ ...event, isBase64Encoded: !event.isBase64Encoded }),
  "the body in base64": (event) =>
    event.isBase64Encoded
      ? event
      : { ...event, body: Buffer.from(event.body ?? "").toString("base64"), isBase64Encoded: true },
  "no body": ({ body, ...event }) => event,
  "no headers": (event) => ({ ...event, headers: {} }),
  "upper-case names of headers": ({ headers, ...event }) => ({
    ...event,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  }),
  "no parsed query": ({ queryStringParameters, ...event }) => event,
  "no query": ({ queryStringParameters, ...event }) => ({ ...event, rawQueryString: "" }),
  "a lone surrogate as the feature": (event) => named(event, "\ud800target"),
  "an empty name of the feature": (event) => named(event, ""),
  "the key of another item as the feature": (event) => named(event, "target#ENVIRONMENT#development"),
};

function named(event: Event, featureName: string): Event {
  return { ...event, pathParameters: { ...event.pathParameters, featureName } };
}
