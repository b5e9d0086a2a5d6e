/** Matches a URL with the declared routes, and reads its path parameters. */
import type { DeclaredRoute } from "./routes.ts";

export function findRoute(
  routes: readonly DeclaredRoute[],
  method: string,
  url: string,
): DeclaredRoute | undefined {
  const [path] = splitUrl(url);
  return routes.find(
    (route) =>
      (route.method === "*" || route.method === method) && segmentsOf(route.path, path) !== undefined,
  );
}

/** Splits path and query; a client that uses this server as a proxy sends scheme and host before them. */
export function splitUrl(url: string): [path: string, query: string] {
  const [path = "", ...query] = url.replace(/^https?:\/\/[^/?]*/i, "").split("?");
  return [path, query.join("?")];
}

/** Returns the values of a path that matches the pattern, still encoded. */
function segmentsOf(pattern: string, path: string): [name: string, value: string][] | undefined {
  const names = pattern.split("/");
  const values = path.split("/");
  const found: [string, string][] = [];
  if (names.length !== values.length) return undefined;
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? "";
    if (!name.startsWith("{") ? name !== value : value === "") return undefined;
    if (name.startsWith("{")) found.push([name.slice(1, -1), value]);
  }
  return found;
}

/** Decoded, as by the gateway; undefined if the encoding is malformed, so that the handler refuses it. */
export function pathParameters(pattern: string, path: string): Record<string, string> | undefined {
  const decoded = (segmentsOf(pattern, path) ?? []).map(([name, value]) => [name, decode(value)] as const);
  if (decoded.length === 0 || decoded.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(decoded) as Record<string, string>;
}

export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
