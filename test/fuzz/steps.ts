/** Draws the steps of a scenario: a request, and how it is sent to the service. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import fc from "fast-check";
import { findRoute, pathParameters, splitUrl } from "../../infra/local/path.ts";
import { readRoutes } from "../../infra/local/routes.ts";
import type { FunctionName } from "../support/deliver.ts";
import { toEvent } from "../support/event.ts";
import { bytesOf, type Damage, damage } from "./bytes.ts";
import { twist, twistName } from "./events.ts";
import { type Request, request } from "./requests.ts";

type Step =
  | { by: "http"; request: Request }
  | { by: "event"; request: Request; twist: string }
  | { by: "bytes"; request: Request; damage: Damage };

/** A step as it is sent, independent of the previous steps. */
export type Taken =
  | { by: "http"; request: Request; address: Address }
  | { by: "event"; request: Request; to: FunctionName; event: APIGatewayProxyEventV2; address: Address }
  | { by: "bytes"; bytes: Buffer; hangUpAfter: number | undefined };

type Addressed = Exclude<Taken, { by: "bytes" }>;

/** Only a write can be a dry run; a read ignores the option. */
export function isDryRun(step: Addressed): boolean {
  return /^(PUT|PATCH)$/.test(step.request.method) && queryOf(step).get("dryRun") === "true";
}

export function isByName(step: Addressed): boolean {
  return queryOf(step).get("by") === "name";
}

function queryOf(step: Addressed): URLSearchParams {
  return new URLSearchParams(
    step.by === "event" ? step.event.rawQueryString : splitUrl(step.request.path)[1],
  );
}

/** The route and the names in the path of a request. */
export interface Address {
  route: string | undefined;
  names: Readonly<Record<string, string | undefined>>;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ by: fc.constant("http" as const), request }) },
  { weight: 3, arbitrary: fc.record({ by: fc.constant("event" as const), request, twist: twistName }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant("bytes" as const), request, damage }) },
);

export const scenario = fc.record({
  start: fc.nat({ max: 2 }),
  steps: fc.array(step, { minLength: 1, maxLength: 20, size: "max" }),
});

export type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

const routes = readRoutes();

export function take(drawn: Step, etag: string): Taken {
  const request = withEntityTag(drawn.request, etag);
  if (drawn.by === "bytes") {
    const { damage } = drawn;
    return { by: "bytes", bytes: bytesOf(request, damage), hangUpAfter: damage.hangUpAfter };
  }
  const { method, path } = request;
  const route = findRoute(routes, method, path)?.path;
  const names = (route !== undefined && pathParameters(route, splitUrl(path)[0])) || {};
  if (drawn.by === "http") return { by: "http", request, address: { route, names } };
  const event = twist(drawn.twist, toEvent(request));
  const to = path.includes("/projects/") ? "variants" : "tags";
  return {
    by: "event",
    request,
    to,
    event,
    address: { route, names: { ...names, ...event.pathParameters } },
  };
}

function withEntityTag({ headers, ...request }: Request, etag: string): Request {
  const entries = Object.entries(headers).map(([name, value]) => [name, value.replaceAll("{etag}", etag)]);
  return { ...request, headers: Object.fromEntries(entries) };
}
