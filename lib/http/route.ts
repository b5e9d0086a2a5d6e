/** What a function declares of a route: method, path, permission, what it accepts, and the call that it makes. */
import type * as z from "zod/mini";
import type { Caller } from "../access/caller.ts";
import type { Detail } from "../contract/error-body.ts";
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
