/** Lists the routes that serverless.yml declares, and matches URLs with them. */
import { routes } from "../build/deployment.mjs";

export interface DeclaredRoute {
  /** The key that events have, such as "ANY /api/{name}". */
  routeKey: string;
  method: string;
  path: string;
  function: DeclaredFunction;
}

export interface DeclaredFunction {
  name: string;
  /** The file and its export, such as "dist/tags.handler". */
  handler: string;
  timeoutMs: number;
}

export const declaredRoutes: readonly DeclaredRoute[] = routes;

export function functionNames(routes: readonly DeclaredRoute[]): string[] {
  return [...new Set(routes.map((route) => route.function.name))];
}

export function findDeclaredRoute(routes: readonly DeclaredRoute[], method: string, url: string) {
  const [path] = splitUrl(url);
  return routes.find((route) => ["*", method].includes(route.method) && match(route.path, path));
}

/** Splits path and query. A client that uses this server as a proxy sends scheme and host before them. */
export function splitUrl(url: string): [path: string, query: string] {
  const [path = "", ...query] = url.replace(/^https?:\/\/[^/?]*/i, "").split("?");
  return [path, query.join("?")];
}

/** Decodes the parameters as the gateway does. Undefined if the encoding is malformed, so that the handler refuses it. */
export function decodePathParameters(pattern: string, path: string): Record<string, string> | undefined {
  const values = match(pattern, path)?.groups;
  if (!values || decode(path) === undefined) return undefined;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]));
}

export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The groups of the match are the parameters of the path, still encoded. */
function match(pattern: string, path: string): RegExpExecArray | null {
  return new RegExp(`^${pattern.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`).exec(path);
}
