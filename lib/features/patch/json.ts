/**
 * Checks JSON Pointers against JSON before the patch library follows them: the library accepts inherited
 * properties, a list's `length`, and indices with leading zeros.
 */

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

type Container = Json[] | { [member: string]: Json };

/** Says why an operation cannot be applied. `applyPatch` puts the operation and its path before the message. */
export class PatchError extends Error {}

function isContainer(value: Json | undefined): value is Container {
  return typeof value === "object" && value !== null;
}

export function isObject(value: Json): value is { [member: string]: Json } {
  return isContainer(value) && !Array.isArray(value);
}

/** The words of messages about the outermost members. */
export interface Wording {
  /** What a member is called. */
  member: string;
  /** Advice for where there is no member of the name. */
  adviceFor?(name: string): string;
}

/** Messages about inner members call each "member", and give no advice. */
const innerWording: Wording = { member: "member" };

/** Returns the value at the pointer with these tokens. Throws a PatchError if there is none. */
export function locate(json: Json, tokens: readonly string[], wording: Wording): Json {
  return tokens.reduce(
    (value, token, depth) => stepInto(value, token, depth === 0 ? wording : innerWording),
    json,
  );
}

/**
 * Returns the list or object that an addition at the pointer with these tokens changes; null for the pointer "", which
 * replaces the whole. Throws a PatchError if nothing can be added there.
 */
export function locateParent(json: Json, tokens: readonly string[], wording: Wording): Json {
  const last = tokens.at(-1);
  if (last === undefined) return null;
  const parent = locate(json, tokens.slice(0, -1), wording);
  if (!isContainer(parent)) throw new PatchError(`cannot add a member to ${kindOf(parent)}`);
  // RFC 6902 section 4.1: an index is at most the number of elements; "-" is the end.
  if (!Array.isArray(parent) || last === "-") return parent;
  const { adviceFor } = tokens.length === 1 ? wording : innerWording;
  if (toIndex(last, adviceFor) > parent.length) throw outOfRange(last, parent);
  return parent;
}

function stepInto(value: Json, token: string, { member, adviceFor }: Wording): Json {
  if (!isContainer(value)) throw new PatchError(`${kindOf(value)} has no member "${shorten(token)}"`);
  if (Array.isArray(value)) {
    // RFC 6901 section 4: "-" is the element after the last, which does not exist.
    if (token === "-") throw new PatchError('"-" is the end of the list, where there is no element');
    const element = value[toIndex(token, adviceFor)];
    if (element === undefined) throw outOfRange(token, value);
    return element;
  }
  const inner = Object.hasOwn(value, token) ? value[token] : undefined;
  if (inner === undefined) {
    throw withAdvice(`there is no ${member} "${shorten(token)}"`, adviceFor?.(token));
  }
  return inner;
}

/** RFC 6901 section 4: digits without leading zeros. */
function toIndex(token: string, adviceFor?: Wording["adviceFor"]): number {
  if (!/^(?:0|[1-9]\d{0,8})$/.test(token))
    throw withAdvice(`"${shorten(token)}" is not an index of a list`, adviceFor?.(token));
  return Number(token);
}

function withAdvice(message: string, advice?: string): PatchError {
  return new PatchError(advice === undefined ? message : `${message}; ${advice}`);
}

function outOfRange(token: string, { length }: Json[]): PatchError {
  return new PatchError(`there is no index ${token}: the list's length is ${length}`);
}

function kindOf(value: Json): string {
  return value === null ? "null" : `a ${typeof value}`;
}

function shorten(token: string): string {
  return token.length > 60 ? `${token.slice(0, 60).toWellFormed()}...` : token;
}
