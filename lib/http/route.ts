/** What a handler declares: a method and a path, who may call it, what it takes, and the call it makes. */
import type * as z from "zod/mini";
import type { Caller } from "../access/caller.ts";
import type { Detail } from "../contract/error-body.ts";
import type { Permission } from "../contract/permissions.ts";
import type { Stamp } from "../features/feature-store.ts";
import type { Invocation } from "../service.ts";
import type { Asked, Takes } from "./asked.ts";

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
  /** What became of each environment, for a header and for the log. */
  outcomes?: readonly Detail[];
}

export interface Request<Parameters, Body, Ahead> extends Invocation {
  path: Parameters;
  body: Body;
  caller: Caller;
  asked: Asked;
  stamp: Stamp;
  /** What `readAhead` reads. */
  ahead: Promise<Ahead>;
}

export interface RouteBody<Body> {
  /** Media types; the first is the usual one. */
  accepts: readonly string[];
  schema: z.ZodMiniType<Body>;
}

export interface Route<Path extends string = string, Body = unknown, Ahead = unknown> {
  method: string;
  path: Path;
  /** Needed in the project and the environment that the path names, or in any project where it names none. */
  permission: Permission | "any";
  body?: RouteBody<Body>;
  /** What else of a request counts. */
  takes?: Takes;
  /** A read that needs the path alone. It is started along with the look-up of the key, to save a hop. */
  readAhead?(path: PathParameters<Path>, invocation: Invocation): Promise<Ahead>;
  answer(request: Request<PathParameters<Path>, Body, Ahead>): Promise<Answer>;
}

/** Fits a route of any path and body into a list of routes; inside, its types stay checked. */
export function route<const Path extends string, Body, Ahead>(definition: Route<Path, Body, Ahead>): Route {
  return definition as unknown as Route;
}
