/** Matches a URL with the declared routes, and reads its path parameters. */
import type { DeclaredRoute } from "./routes.ts";

export function findRoute(
  routes: readonly DeclaredRoute[],
  method: string,
  url: string,
): DeclaredRoute | undefined {
  const [path] = splitUrl(url);
  return routes.find(
    (route) => (route.method === "*" || route.method === method) && valuesIn(route.path, path) !== undefined,
  );
}

/** Splits path and query; a client that uses this server as a proxy sends scheme and host before them. */
export function splitUrl(url: string): [path: string, query: string] {
  const [path = "", ...query] = url.replace(/^https?:\/\/[^/?]*/i, "").split("?");
  return [path, query.join("?")];
}

/** Decoded, as by the gateway; undefined if the encoding is malformed, so that the handler refuses it. */
export function pathParameters(pattern: string, path: string): Record<string, string> | undefined {
  const decoded = (valuesIn(pattern, path) ?? []).map(([name, value]) => [name, decode(value)]);
  if (decoded.length === 0 || decoded.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(decoded);
}

export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns the values of a path that matches the pattern, still encoded. */
function valuesIn(pattern: string, path: string): [name: string, value: string][] | undefined {
  const [names, values] = [pattern.split("/"), path.split("/")];
  const pairs = names.map((name, index): [string, string] => [name, values[index] ?? ""]);
  const isParameter = ([name]: [string, string]) => name.startsWith("{");
  const fits = (pair: [string, string]) => (isParameter(pair) ? pair[1] !== "" : pair[0] === pair[1]);
  if (names.length !== values.length || !pairs.every(fits)) return undefined;
  return pairs.filter(isParameter).map(([name, value]) => [name.slice(1, -1), value]);
}
