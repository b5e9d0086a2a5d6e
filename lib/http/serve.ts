/** Makes a Lambda handler of routes. It never throws, and writes one line of log for each request. */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type { Service } from "../service.ts";
import { dispatch } from "./dispatch.ts";
import { failure, type LogEntry, writeLog } from "./log.ts";
import { outcomes } from "./outcomes.ts";
import { respond, respondError, toApiError } from "./respond.ts";
import type { Route } from "./route.ts";

export type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export function serve(service: Service, routes: readonly Route[]): Handler {
  let coldStart = true;
  return async function handler(event, context) {
    const startedAt = performance.now();
    const entry: LogEntry = {
      requestId: event?.requestContext?.requestId ?? context.awsRequestId,
      coldStart,
    };
    coldStart = false;
    let result: APIGatewayProxyStructuredResultV2;
    try {
      const invocation = service(() => context.getRemainingTimeInMillis());
      const answer = await dispatch(event, invocation, routes, entry);
      entry.environments = outcomes(answer.outcomes);
      result = respond(answer);
    } catch (thrown) {
      const error = toApiError(thrown);
      const id = randomUUID();
      entry.environments = outcomes(error.details);
      entry.error = failure(error, id);
      result = respondError(error, id);
    }
    writeLog({ ...entry, status: result.statusCode, ms: Math.round(performance.now() - startedAt) });
    return result;
  };
}
