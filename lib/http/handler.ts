/** Makes a Lambda handler from routes. It turns errors into responses, and writes one log line for each request. */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { authenticate } from "../access/authenticate.ts";
import { authorisePath } from "../access/permissions.ts";
import { MethodNotAllowed, NotFoundError, toApiError } from "../contract/errors.ts";
import type { SmokeTested } from "../features/stores.ts";
import type { Invocation, OpenInvocation, ServiceOptions, Settings } from "../service.ts";
import { type HttpRequest, isPreflight, isSmokeTest, parseEvent } from "./event.ts";
import { type HandledRequest, type RequestProgress, toLogEntry, writeLog } from "./log.ts";
import { parseBody, parseOptions, pathParametersOf } from "./parse-request.ts";
import { respond, respondToRequest, respondWithError } from "./response.ts";
import type { PageRoute, Route } from "./route.ts";
import { stampRequest } from "./stamp-request.ts";

export type Handler = (event: unknown, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** Opens a handler. esbuild appends a call of it to each bundle (esbuild.config.mjs). */
export type OpenHandler = (settings: Settings, options?: ServiceOptions) => Handler;

export function createHandler<Store extends SmokeTested>(
  openInvocation: OpenInvocation<Store>,
  routes: readonly (Route<Store> | PageRoute)[],
): Handler {
  let coldStart = true;
  const initMs = Math.round(performance.now());
  return async function handler(event, context) {
    const startedAt = performance.now();
    const start = { requestId: context.awsRequestId, coldStart, ...(coldStart && { initMs }) };
    coldStart = false;
    const invocation = openInvocation(() => context.getRemainingTimeInMillis());
    const handled = await handle(event, invocation, routes);
    const response = handled.response ?? respondWithError(handled.error, handled.errorId, handled.options);
    const { body: _, isBase64Encoded: __, ...head } = response;
    const ms = Math.round(performance.now() - startedAt);
    const entry = toLogEntry(handled, invocation.usage);
    writeLog({ ...start, ...entry, status: response.statusCode, ms });
    return handled.request?.method === "HEAD" ? head : response;
  };
}

/** Handles one event, step by step. An error is part of what it returns. */
export async function handle<Store extends SmokeTested>(
  event: unknown,
  { keys, store, clock }: Invocation<Store>,
  routes: readonly (Route<Store> | PageRoute)[],
): Promise<HandledRequest> {
  // Each step adds its result, so that the log and the response have it even if a later step throws.
  const progress: RequestProgress = {};
  try {
    if (isSmokeTest(event)) {
      return { response: respond({ status: 200, body: { failed: await store.smokeTest() } }) };
    }
    const request = parseEvent(event);
    progress.request = request;
    if (isPreflight(request)) return { request, response: respond({ status: 204 }) };
    const route = findRoute(request, routes);
    progress.route = route;
    if ("page" in route) return { ...progress, response: respondToRequest(request, route, route.page()) };

    progress.caller = await authenticate(request.headers.authorization, keys, route);
    progress.parameters = pathParametersOf(request, route);
    progress.options = parseOptions(request, route);
    const { caller, parameters, options } = progress;
    authorisePath(caller, route, parameters, options);
    const body = route.body && parseBody(request, route.body);
    progress.stamp = stampRequest(request, route, { caller, parameters, options, body });
    const { stamp } = progress;
    const answer = await route.run({ parameters, body, caller, options, stamp, store, clock });
    progress.answer = answer;
    return { ...progress, response: respondToRequest(request, route, answer, options) };
  } catch (thrown) {
    // The change is stored, although its response failed.
    const { changeId } = progress.answer ?? {};
    const error = toApiError(thrown);
    return {
      ...progress,
      error: changeId === undefined ? error : error.with({ changeId }),
      errorId: randomUUID(),
    };
  }
}

function findRoute<Store>(
  { routeKey, method }: HttpRequest,
  routes: readonly (Route<Store> | PageRoute)[],
): Route<Store> | PageRoute {
  const [, path] = routeKey.split(" ");
  const routesOfPath = routes.filter((route) => route.path === path);
  if (routesOfPath.length === 0) throw new NotFoundError("There is no resource at this path");
  // RFC 9110 section 9.3.2: HEAD is GET without the body.
  const route = routesOfPath.find((route) => route.method === (method === "HEAD" ? "GET" : method));
  if (route) return route;
  const allow = routesOfPath
    .flatMap((route) => [
      ...(route.method === "GET" ? ["GET", "HEAD"] : [route.method]),
      ...(("otherMethods" in route && route.otherMethods) || []),
    ])
    .join(", ");
  throw new MethodNotAllowed(`${method} is not allowed for this path; allowed: ${allow}`, {
    headers: { allow },
  });
}
