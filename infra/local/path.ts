/** Which declared route a URL is for, and what its path holds. */
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

/** Path and query; a client that takes this server for a proxy names scheme and host before them. */
export function splitUrl(url: string): [path: string, query: string] {
  const [path = "", ...query] = url.replace(/^https?:\/\/[^/?]*/i, "").split("?");
  return [path, query.join("?")];
}

/** The values of a path that fits the pattern, still encoded. */
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

/** Decoded, as the gateway does; none where the encoding is malformed, which is for the handler to refuse. */
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
