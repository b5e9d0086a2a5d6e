/** RFC 6902 in its plainest form, to compare with: nothing is mutated, nothing is fast, nothing is limited. */
import type { PatchOperation } from "../../../../lib/contract/patch.ts";
import type { Json } from "../../../../lib/features/json-patch/json.ts";

type Path = readonly string[];

/** The document after the patch, or the index of the operation that cannot be applied. */
export function referencePatch(
  document: Json,
  patch: readonly PatchOperation[],
): { result: Json } | { failedAt: number } {
  let result = document;
  for (const [index, operation] of patch.entries()) {
    const next = apply(result, operation);
    if (next === undefined) return { failedAt: index };
    result = next;
  }
  return { result };
}

function apply(document: Json, operation: PatchOperation): Json | undefined {
  const path = parse(operation.path);
  switch (operation.op) {
    case "add":
      return added(document, path, operation.value as Json);
    case "remove":
      return get(document, path) === undefined ? undefined : put(document, path, undefined);
    case "replace":
      return get(document, path) === undefined ? undefined : put(document, path, operation.value as Json);
    case "copy":
      return added(document, path, get(document, parse(operation.from)));
    case "move": {
      const from = parse(operation.from);
      const value = get(document, from);
      if (value === undefined) return undefined;
      const isPrefix = from.every((token, at) => token === path[at]);
      if (isPrefix) return from.length === path.length ? document : undefined;
      return added(put(document, from, undefined), path, value);
    }
  }
}

function parse(pointer: string): Path {
  return [...pointer.matchAll(/\/([^/]*)/g)].map(([, token = ""]) =>
    token.replace(/~[01]/g, (escaped) => (escaped === "~0" ? "~" : "/")),
  );
}

function get(value: Json | undefined, [token, ...rest]: Path): Json | undefined {
  if (token === undefined || value === undefined) return value;
  return get(child(value, token), rest);
}

function child(value: Json, token: string): Json | undefined {
  return isObject(value) || Array.isArray(value) ? new Map(Object.entries(value)).get(token) : undefined;
}

function added(document: Json, path: Path, value: Json | undefined): Json | undefined {
  const last = path.at(-1);
  if (last === undefined || value === undefined) return value;
  const parent = get(document, path.slice(0, -1));
  if (isObject(parent)) return put(document, path, value);
  if (!Array.isArray(parent)) return undefined;
  const at = last === "-" ? parent.length : [...parent.keys(), parent.length].map(String).indexOf(last);
  return at < 0 ? undefined : put(document, path.slice(0, -1), parent.toSpliced(at, 0, value));
}

/**
 * The value with another at the end of a path, or with none there; the way to it must be there. RFC 6902
 * does not say what is left when the whole document is removed: null, as in the library that Unleash uses.
 */
function put(value: Json, [token, ...rest]: Path, end: Json | undefined): Json {
  if (token === undefined) return end ?? null;
  const content = rest.length === 0 ? end : put(child(value, token) ?? null, rest, end);
  const entries = Object.entries(value ?? {}).filter(([name]) => name !== token);
  const changed = content === undefined ? entries : [...entries, [token, content] as const];
  if (!Array.isArray(value)) return Object.fromEntries(changed);
  return changed.toSorted(([left], [right]) => Number(left) - Number(right)).map(([, element]) => element);
}

function isObject(value: Json | undefined): value is { [member: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
