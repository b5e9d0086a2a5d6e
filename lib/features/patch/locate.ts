/**
 * Walks a JSON Pointer through a document before an operation uses it, because the patch library
 * follows inherited properties, a list's `length`, and indices with leading zeros.
 */
import { isContainer, type Json } from "../json.ts";
import { PatchFault } from "./fault.ts";

/** The value that a pointer leads to. It must be there. */
export function locate(document: Json, tokens: readonly string[]): Json {
  return tokens.reduce(step, document);
}

/** What a value added at this pointer takes the place of, if of anything. There must be a list or object to add it to. */
export function displaced(document: Json, tokens: readonly string[]): Json | undefined {
  const last = tokens.at(-1);
  if (last === undefined) return document;
  const parent = locate(document, tokens.slice(0, -1));
  if (!isContainer(parent)) throw new PatchFault(`cannot add to ${kind(parent)}`);
  if (!Array.isArray(parent)) return own(parent, last);
  // RFC 6902 section 4.1: the index must not be greater than the number of elements; "-" is the end.
  if (last !== "-" && index(last) > parent.length) {
    throw new PatchFault(`index ${last} is beyond the end of a list of ${parent.length}`);
  }
  return undefined;
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
  const member = own(value, token);
  if (member === undefined) throw new PatchFault(`member "${brief(token)}" does not exist`);
  return member;
}

function own(object: { [member: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
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
