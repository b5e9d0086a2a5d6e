/**
 * Makes a Lambda handler from routes. It turns what is thrown into a response, and writes one log line for each
 * request.
 */
import { randomUUID } from "node:crypto";
import type { APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { type ApiKeys, authenticate } from "../access/authenticate.ts";
import { authorisePath, type Caller } from "../access/permissions.ts";
import { toApiError, ValidationError } from "../contract/errors.ts";
import { etagMatches } from "../features/etags.ts";
import { createStamp, type Stamp } from "../features/stamp.ts";
import type { SmokeTested } from "../features/stores.ts";
import type { Invocation, OpenInvocation, ServiceOptions, Settings } from "../service.ts";
import { parseBody } from "./body.ts";
import { type HttpRequest, isSmokeTest, parseEvent } from "./event.ts";
import { type HandledRequest, type RequestProgress, toLogEntry, writeLog } from "./log.ts";
import { parseEtags } from "./option-values.ts";
import { optionsToRepeat, type RequestOptions, type StampOptions } from "./options.ts";
import { parseOptions, refuseOtherOptions } from "./parse-options.ts";
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

/** Handles one event, step by step. An error is part of what it returns. */
export async function handle<Store extends SmokeTested>(
  event: unknown,
  { keys, store, clock }: Invocation<Store>,
  routes: readonly (Route<Store> | PageRoute)[],
): Promise<HandledRequest> {
  // Each step adds what it finds. If a later one throws, the log and the response still have it.
  const progress: RequestProgress = {};
  try {
    if (isSmokeTest(event)) return { response: await respondToSmokeTest(store) };
    const request = parseEvent(event);
    progress.request = request;
    if (isPreflight(request)) return { request, response: respond({ status: 204 }) };
    const route = findRoute(request, routes);
    progress.route = route;
    if ("page" in route) return { ...progress, response: respondToRead(request, route.page()) };

    progress.caller = await authenticateFor(route, request, keys);
    progress.parameters = parametersOf(request, route);
    progress.options = optionsOf(request, route);
    const { caller, parameters, options } = progress;
    authorise(route, caller, parameters, options);
    const body = route.body && parseBody(request, route.body);
    progress.stamp = stampOf(request, route, { caller, parameters, options, body });
    const { stamp } = progress;
    progress.answer = await route.run({ parameters, body, caller, options, stamp, store, clock });
    return { ...progress, response: respondByRoute(request, route, progress.answer, options) };
  } catch (thrown) {
    return { ...progress, error: toApiError(thrown), errorId: randomUUID() };
  }
}

async function respondToSmokeTest(store: SmokeTested) {
  return respond({ status: 200, body: { failed: await store.smokeTest() } });
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

/** Only the routes of SDKs, which require `CLIENT`, accept a cached key for longer while the database fails. */
function authenticateFor({ permission }: Route<never>, { headers }: HttpRequest, keys: ApiKeys) {
  return authenticate(headers.authorization, keys, { mayBeStale: permission === "CLIENT" });
}

function optionsOf(request: HttpRequest, route: Route<never>): RequestOptions {
  if (isUnsafeMethod(route)) refuseOtherOptions(request, route.options);
  return parseOptions(request, route.options);
}

/** Authorises by the path and the options. What else a change requires follows from its body and from what is stored. */
function authorise(
  { permission }: Route<never>,
  caller: Caller,
  { projectId: project, environment }: PathParameters,
  { dryRun, prefersStrict }: RequestOptions,
): void {
  authorisePath(caller, { permission, dryRun, prefersStrict, project, environment });
}

function stampOf(
  { id: requestId }: HttpRequest,
  { method, path }: Pick<Route<never>, "method" | "path">,
  sent: { caller: Caller; parameters: PathParameters; options: RequestOptions; body: unknown },
): Stamp {
  const { caller, parameters, options, body } = sent;
  const { idempotencyKey, reason, guard, ...others }: StampOptions = options;
  // Does not compile if an option of the stamp is left over.
  others satisfies Record<string, never>;
  // The path of a creation has no feature, so the creations with one idempotency key have one id.
  const scope = [parameters.projectId, parameters.featureName, parameters.environment];
  const toRepeat = [method, path, parameters, optionsToRepeat(options), body];
  const idempotency = idempotencyKey === undefined ? undefined : { idempotencyKey, scope, toRepeat };
  return createStamp({ by: caller.name, requestId, idempotency, options: { reason, guard } });
}

function respondByRoute(request: HttpRequest, route: Route<never>, answer: Answer, options: RequestOptions) {
  if (!isUnsafeMethod(route)) return respondToRead(request, answer, options);
  return respond(answer, { ...options, isWrite: !options.dryRun });
}

/** A malformed If-None-Match only costs a read its 304, so it is ignored. */
function respondToRead({ headers }: HttpRequest, answer: Answer, options?: RequestOptions) {
  const known = parseEtags(headers["if-none-match"] ?? "", { weakToo: true });
  const { body, rawBody, ...rest } = answer;
  // RFC 9110 section 13.1.2: the comparison is weak.
  const isKnown = known && answer.etag !== undefined && etagMatches(known, answer.etag);
  return respond(isKnown ? { ...rest, status: 304 } : answer, options);
}

function withoutBody({
  body: _,
  isBase64Encoded: __,
  ...head
}: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 {
  return head;
}
