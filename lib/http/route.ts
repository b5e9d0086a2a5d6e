/** A route: what a function declares of it, and how it is found for an event. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type * as z from "zod/mini";
import type { Caller } from "../access/caller.ts";
import type { Detail } from "../contract/error-body.ts";
import { MethodNotAllowed, NotFoundError, ValidationError } from "../contract/errors.ts";
import type { Permission } from "../contract/permissions.ts";
import type { Stamp } from "../features/stores.ts";
import type { Clock } from "../features/turns.ts";
import type { OptionName, RequestOptions } from "./options.ts";

/** The names in a path as API Gateway writes it: `/api/{name}` has one. */
export type PathParameters<Path extends string = string> = string extends Path
  ? Readonly<Record<string, string>>
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Readonly<Record<Name, string>> & PathParameters<Rest>
    : unknown;

export interface Answer {
  status: number;
  /** Without its quotes. */
  etag?: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The outcome of each environment, for a header and for the log. */
  outcomes?: readonly Detail[];
}

export interface Request<Store, Parameters, Body> {
  path: Parameters;
  body: Body;
  caller: Caller;
  options: RequestOptions;
  stamp: Stamp;
  store: Store;
  clock: Clock;
}

export interface RouteBody<Body> {
  /** Media types; the first is the usual one. */
  accepts: readonly string[];
  schema: z.ZodMiniType<Body>;
}

export interface Route<Store, Path extends string = string, Body = unknown> {
  method: string;
  path: Path;
  /** Needed in the project and environment that the path names, or in any project where it names none. */
  permission: Permission | "any";
  body?: RouteBody<Body>;
  /** Optional headers and query parameters that the route accepts. Every route that can write accepts `dryRun`. */
  options?: readonly OptionName[];
  run(request: Request<Store, PathParameters<Path>, Body>): Promise<Answer>;
}

/** Erases the types of a route's path and body, so that routes fit in one list; `run` is still checked. */
export function route<Store, const Path extends string, Body>(
  definition: Route<Store, Path, Body>,
): Route<Store> {
  return definition as unknown as Route<Store>;
}

/**
 * By `routeKey`, which an HTTP API delivers as it was declared. An event in the form of AWS's examples has `$default`
 * there, as has one of a function URL: these are matched by their path.
 */
export function matchRoute<Store>(
  event: APIGatewayProxyEventV2,
  routes: readonly Route<Store>[],
): Route<Store> {
  const declared = event.routeKey?.split(" ")[1];
  const path =
    routes.find((route) => route.path === declared)?.path ??
    routes.find((route) => matchesPath(route.path, event.rawPath))?.path;
  if (path === undefined) throw new NotFoundError("There is no resource at this path");
  const ofPath = routes.filter((route) => route.path === path);
  const { method } = event.requestContext.http;
  const found = ofPath.find((route) => route.method === method);
  if (found) return found;
  const allow = ofPath.map((route) => route.method).join(", ");
  throw new MethodNotAllowed(`${method} is not allowed for this path; allowed: ${allow}`, {
    headers: { allow },
  });
}

/**
 * An HTTP API has decoded `pathParameters`: decoding them again would turn the name "100%25" into "100%". An event without
 * them (as above, or of a path that could not be decoded) has a `rawPath` that is still encoded, and is decoded here.
 */
export function pathParameters(event: APIGatewayProxyEventV2, { path }: { path: string }): PathParameters {
  const names = segments(path);
  // A stage's name, or a path that a domain maps to this API, stands in front.
  const values = segments(event.rawPath).slice(-names.length);
  const parameters = names.flatMap((segment, index) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [[name, event.pathParameters?.[name] ?? decode(values[index] ?? "")]];
  });
  return Object.fromEntries(parameters);
}

function matchesPath(path: string, rawPath = ""): boolean {
  const values = segments(rawPath);
  const names = segments(path);
  return (
    names.length === values.length &&
    names.every((name, index) => (name.startsWith("{") ? values[index] !== "" : name === values[index]))
  );
}

function segments(path = ""): string[] {
  return path.split("/");
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new ValidationError(`Malformed percent-encoding in the path: "${value}"`, { cause });
  }
}
