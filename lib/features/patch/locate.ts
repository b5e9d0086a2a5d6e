/**
 * Walks a JSON Pointer through a document before an operation uses it, because the patch library
 * follows inherited properties, a list's `length`, and indices with leading zeros.
 */
import { type Container, isContainer, type Json } from "../json.ts";
import { PatchFault } from "./fault.ts";

/** The value that a pointer leads to, or its first tokens do. It must be there. */
export function locate(document: Json, tokens: readonly string[], count = tokens.length): Json {
  let value = document;
  for (let at = 0; at < count; at++) value = step(value, tokens[at] ?? "");
  return value;
}

/** The list or object that a value can be added to at this pointer; undefined for the whole document. */
export function addable(document: Json, tokens: readonly string[]): Container | undefined {
  const last = tokens.at(-1);
  if (last === undefined) return undefined;
  const parent = locate(document, tokens, tokens.length - 1);
  if (!isContainer(parent)) throw new PatchFault(`cannot add to ${kind(parent)}`);
  // RFC 6902 section 4.1: the index must not be greater than the number of elements; "-" is the end.
  if (Array.isArray(parent) && last !== "-" && index(last) > parent.length) {
    throw new PatchFault(`index ${last} is beyond the end of a list of ${parent.length}`);
  }
  return parent;
}

function step(value: Json, token: string): Json {
  if (!isContainer(value)) throw new PatchFault(`cannot follow "${brief(token)}" into ${kind(value)}`);
  if (Array.isArray(value)) {
    // RFC 6901 section 4: "-" is the element after the last, which does not exist.
    if (token === "-") throw new PatchFault('"-" is no element of the list');
    const element = value[index(token)];
    if (element === undefined) throw new PatchFault(`index ${token} is not in a list of ${value.length}`);
    return element;
  }
  const member = Object.hasOwn(value, token) ? value[token] : undefined;
  if (member === undefined) throw new PatchFault(`member "${brief(token)}" does not exist`);
  return member;
}

/** RFC 6901 section 4: digits without leading zeros. */
function index(token: string): number {
  if (!/^(?:0|[1-9]\d{0,8})$/.test(token))
    throw new PatchFault(`"${brief(token)}" is not an index of a list`);
  return Number(token);
}

function kind(value: Json): string {
  return value === null ? "null" : `a ${typeof value}`;
}

function brief(token: string): string {
  return token.length > 60 ? `${token.slice(0, 60)}...` : token;
}
