/** A route: what a function declares of it, and what its `run` gets and returns. */
import type * as z from "zod/mini";
import type { Caller, PathPermission } from "../access/permissions.ts";
import type { Clock } from "../clock.ts";
import type { Report } from "../features/change/report.ts";
import type { Stamp } from "../features/stamp.ts";
import type { OptionName, RequestOptions } from "./options.ts";

/** The parameters of a path that are the scope of an idempotency key, in the order in which the id is hashed from them. */
export const scopeParameters = ["projectId", "featureName", "environment"] as const;

/** The names of parameters in paths. By `projectId` and `environment` the handler authorises. */
type ParameterName = (typeof scopeParameters)[number] | "changeId" | "strategyId" | "guard";

/** The parameters of a path: `/api/{guard}` has `guard`. */
export type PathParameters<Path extends string = string> = string extends Path
  ? Readonly<Partial<Record<ParameterName, string>>>
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Readonly<Record<Name, string>> & PathParameters<Rest>
    : unknown;

/** Does not compile if a path has a parameter of another name. */
type CheckedPath<Path extends string> = keyof PathParameters<Path> extends ParameterName
  ? Path
  : { unknownParameter: Exclude<keyof PathParameters<Path>, ParameterName> };

/** The answer to a change has the members of its report, which become headers or are logged. */
export interface Answer extends Partial<Omit<Report, "body">> {
  status: number;
  /** The ETag without its quotes. */
  etag?: string | undefined;
  /** The id of the change that was made, which a header has. */
  changeId?: string | undefined;
  /** The id of a tag update, a creation, a deletion or a restoration, which the log has and no header. */
  writeId?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Text or gzip, in place of `body`. */
  rawBody?: string | Buffer;
  /** What to do where the response would be too large. */
  adviceIfTooLarge?: string | undefined;
  log?: {
    /** How often a document of SDKs leaves out or converts a feature so that users get something else. */
    omissions?: number;
    /** How old a document is that was served because the database failed, and its failure. */
    stale?: { seconds: number; cause: string };
    /** The outcome of each feature of a trip. */
    features?: Readonly<Record<string, string>> | undefined;
  };
}

/** What `run` gets. It has only the options that its route accepts. */
export interface RouteRequest<Store, Parameters, Body, Accepted extends OptionName = never> {
  /** The values of the parameters in its path. */
  parameters: Parameters;
  body: Body;
  caller: Caller;
  options: Pick<RequestOptions, Accepted>;
  stamp: Stamp;
  store: Store;
  clock: Clock;
}

export interface RouteBody<Body> {
  accepts: readonly string[];
  schema: z.ZodMiniType<Body>;
  /** Whether the body may be absent. It is `{}` then, whatever the content type. */
  isOptional?: boolean;
}

export interface Route<
  Store,
  Path extends string = string,
  Body = unknown,
  Accepted extends OptionName = OptionName,
> {
  /**
   * Every method but GET is treated as a write (RFC 9110 section 9.2.1): unknown options are refused, and a response that
   * is too large says what was applied. So are the reports of SDKs, which store nothing.
   */
  method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE";
  path: Path;
  /** The methods of the path that another function has. */
  otherMethods?: readonly string[];
  /** The permission required in the project and environment of the path, or in some project if the path names none. */
  permission: PathPermission;
  /** The options that the route accepts. Every read accepts If-None-Match as well. */
  options?: readonly Accepted[];
  body?: RouteBody<Body>;
  /** Its writes have ids of their own, so the log does not name the id of the stamp. */
  ignoresStampId?: true;
  /**
   * A member, not a method: the compiler then compares the parameter, so that no option is read that is not accepted.
   */
  run: (request: RouteRequest<Store, PathParameters<Path>, Body, NoInfer<Accepted>>) => Promise<Answer>;
}

/** A page, which needs no API key and no table. */
export interface PageRoute {
  method: "GET";
  path: string;
  page(): Answer;
}

/**
 * Erases the types of path, body and options, so that routes fit in one list; `run` is still checked. The functions
 * declare their routes by operation ID, which is Unleash's where it has one. The OpenAPI document quotes the comment of
 * each route.
 */
export function route<Store, const Path extends string, Body, const Accepted extends OptionName = never>(
  definition: Route<Store, Path, Body, Accepted> & { path: CheckedPath<Path> },
): Route<Store> {
  return definition as unknown as Route<Store>;
}

/** Fills the names into the path. Names that are stored have no lone surrogates, so they can be encoded. */
export function fillPath<Path extends string>(path: Path, names: PathParameters<Path>): string {
  return Object.entries(names as Readonly<Record<string, string>>).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, () => encodeURIComponent(value)),
    path as string,
  );
}
