/**
 * Makes a Lambda handler from routes. It turns what is thrown into a response, and writes one log line for each
 * request.
 */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { authenticate } from "../access/authenticate.ts";
import { authorisePath } from "../access/permissions.ts";
import { toApiError, ValidationError } from "../contract/errors.ts";
import { etagMatches } from "../features/etags.ts";
import { createStamp, type Stamp } from "../features/stamp.ts";
import type { SmokeTested } from "../features/stores.ts";
import type { Invocation, OpenInvocation, ServiceOptions, Settings } from "../service.ts";
import { parseBody } from "./body.ts";
import { type HttpRequest, isSmokeTest, parseEvent } from "./event.ts";
import { type HandledRequest, type RequestProgress, toLogEntry, writeLog } from "./log.ts";
import { parseEtags } from "./option-values.ts";
import {
  type OptionsFor,
  parseOptions,
  type RequestOptions,
  refuseOtherOptions,
  repeatedOptions,
} from "./options.ts";
import { respond, respondWithError } from "./response.ts";
import {
  type Answer,
  findRoute,
  isUnsafeMethod,
  type PageRoute,
  type PathParameters,
  type Route,
} from "./route.ts";

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
    const sent = handled.request?.method === "HEAD" ? withoutBody(response) : response;
    const ms = Math.round(performance.now() - startedAt);
    const entry = toLogEntry(handled, invocation.usage);
    writeLog({ ...start, ...entry, status: sent.statusCode, ms });
    return sent;
  };
}

/**
 * Matches a route, authenticates, parses the options, authorises, parses the body and runs. An error is part of what it returns.
 */
export async function handle<Store extends SmokeTested>(
  event: unknown,
  { keys, store, clock }: Invocation<Store>,
  routes: readonly (Route<Store> | PageRoute)[],
): Promise<HandledRequest> {
  // Each step adds what it finds. If a later one throws, the log and the response still have it.
  const progress: RequestProgress = {};
  try {
    if (isSmokeTest(event))
      return { response: respond({ status: 200, body: { failed: await store.smokeTest() } }) };
    const request = parseEvent(event);
    progress.request = request;
    if (isPreflight(request)) return { request, response: respond({ status: 204 }) };

    const route = findRoute(request, routes);
    progress.route = route;
    if ("page" in route) {
      const answer = route.page();
      return { ...progress, answer, response: respond(answerOrNotModified(request, answer)) };
    }
    const isUnsafe = isUnsafeMethod(route);

    const mayBeStale = route.permission === "CLIENT";
    const caller = await authenticate(request.headers.authorization, keys, { mayBeStale });
    progress.caller = caller;

    const parameters = parametersOf(request, route);
    progress.parameters = parameters;
    const { projectId: project, environment } = parameters;
    const { permission } = route;
    if (isUnsafe) refuseOtherOptions(request, route.options);
    const options = parseOptions(request, route.options);
    progress.options = options;
    const { dryRun, prefersStrict } = options;
    authorisePath(caller, { permission, dryRun, prefersStrict, project, environment });

    const body = route.body && parseBody(request, route.body);
    const stamp = stampOf(request, route, { parameters, options, body, by: caller.name });
    progress.stamp = stamp;

    const answer = await route.run({ parameters, body, caller, options, stamp, store, clock });
    // Set before `respond`, which throws if the response is too large: the log has the change in any case.
    progress.answer = answer;
    const isWrite = isUnsafe && !dryRun;
    const response = respond(isUnsafe ? answer : answerOrNotModified(request, answer), {
      ...options,
      isWrite,
    });
    return { ...progress, response };
  } catch (thrown) {
    return { ...progress, error: toApiError(thrown), errorId: randomUUID() };
  }
}

/** API Gateway passes preflights to the function, and adds the CORS headers itself. */
function isPreflight({ method, headers }: HttpRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** Returns the parameters as API Gateway has decoded them. Decoding again would turn the name "100%25" into "100%". */
function parametersOf({ pathParameters, rawPath }: HttpRequest, { path }: Route<never>): PathParameters {
  const names = [...path.matchAll(/\{(.+?)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries(
    names.map((name) => {
      const value = pathParameters[name];
      if (value === undefined) {
        throw new ValidationError(`Malformed percent-encoding in the path: "${rawPath}"`);
      }
      return [name, value];
    }),
  );
}

function stampOf(
  { id: requestId }: HttpRequest,
  { method, path }: Pick<Route<never>, "method" | "path">,
  sent: { parameters: PathParameters; options: RequestOptions; body: unknown; by: string },
): Stamp {
  const { parameters, options, body, by } = sent;
  const { idempotencyKey, reason, guard, ...others }: OptionsFor<"stamp"> = options;
  // No option of a stamp is left over.
  others satisfies Record<string, never>;
  // The path of a creation has no feature, so the creations with one idempotency key have one id.
  const scope = [parameters.projectId, parameters.featureName, parameters.environment];
  const repeated = [method, path, parameters, repeatedOptions(options), body];
  const idempotency = idempotencyKey === undefined ? undefined : { idempotencyKey, scope, repeated };
  return createStamp({ by, requestId, idempotency, options: { reason, guard } });
}

/**
 * Returns 304 if the client has the answer already (RFC 9110 section 13.1.2: the comparison is weak). A malformed
 * header only costs a read its 304, so it is ignored.
 */
function answerOrNotModified({ headers }: HttpRequest, answer: Answer): Answer {
  const { body, rawBody, ...rest } = answer;
  const known = parseEtags(headers["if-none-match"] ?? "", { weakToo: true });
  return rest.etag !== undefined && known && etagMatches(known, rest.etag)
    ? { ...rest, status: 304 }
    : answer;
}

function withoutBody({
  body: _,
  isBase64Encoded: __,
  ...head
}: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 {
  return head;
}
