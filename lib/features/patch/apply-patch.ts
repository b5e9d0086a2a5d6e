/**
 * Applies a JSON Patch (RFC 6902) safely: each operation is checked against the RFC and the budget before the library
 * does it. The library accepts inherited properties, a list's `length`, and indices with leading zeros.
 */
import { applyOperation } from "fast-json-patch";
import { ValidationError } from "../../contract/errors.ts";
import { type Json, parsePointer } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import type { Patch, PatchOperation } from "../../contract/patch.ts";
import { storedBytes, tooDeep } from "../stored-bytes.ts";

/** The words of messages about the outermost members. */
interface Wording {
  /** What a member is called. */
  member: string;
  /** Advice for where there is no member of the name. */
  adviceFor?(name: string): string;
}

interface PatchResult {
  patched: Json;
  /** The paths of the members that were there, and that `add`, `copy` or `move` has overwritten. */
  overwritten: readonly string[];
}

/** Changes neither the JSON nor the patch. RFC 6902 section 5: the first failure ends the patch. */
export function applyPatch(json: Json, patch: Patch, wording: Partial<Wording> = {}): PatchResult {
  const patching = new Patching(json, wording);
  patch.forEach((operation, index) => {
    try {
      patching.operate(operation);
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      throw new ValidationError(`operation ${index} (${describeOperation(operation)}): ${error.message}`);
    }
  });
  return patching;
}

function describeOperation(operation: PatchOperation): string {
  const from = "from" in operation ? `${quote(operation.from)} to ` : "";
  return `${operation.op} ${from}${quote(operation.path)}`;
}

function quote(pointer: string): string {
  if (pointer.length > 120) return `${pointer.slice(0, 120).toWellFormed()}...`;
  return pointer === "" ? '""' : pointer;
}

/** Says why an operation cannot be applied. `applyPatch` puts the operation and its path before the message. */
class PatchError extends Error {}

/** Applies operations to a copy. */
class Patching implements PatchResult {
  patched: Json;
  readonly overwritten: string[] = [];
  readonly #wording: Wording;
  #bytes = 0;

  constructor(json: Json, wording: Partial<Wording>) {
    this.patched = copyJson(json);
    this.#wording = { member: "member", ...wording };
  }

  operate(operation: PatchOperation): void {
    const { path } = operation;
    switch (operation.op) {
      case "add":
      case "replace":
        this.#put(operation.op, path, operation.value as Json);
        break;
      case "remove":
        this.#remove(path);
        break;
      case "copy":
        this.#put("add", path, this.#find(operation.from));
        break;
      case "move":
        this.#move(operation.from, path);
    }
  }

  /** RFC 6902 section 4.4: a move is a removal and then an addition, and never into the moved value itself. */
  #move(from: string, path: string): void {
    const value = this.#find(from);
    if (from === path) return;
    if (path.startsWith(`${from}/`)) throw new PatchError("a value cannot be moved into itself");
    this.#remove(from);
    this.#put("add", path, value);
  }

  #remove(path: string): void {
    this.#find(path);
    this.patched = applyOperation<Json>(this.patched, { op: "remove", path }).newDocument;
  }

  #find(pointer: string): Json {
    return locate(this.patched, parsePointer(pointer), this.#wording);
  }

  /** RFC 6902 section 4.1: `add` inserts into a list; elsewhere it replaces the old value, if there is one. */
  #put(op: "add" | "replace", path: string, value: Json): void {
    const tokens = parsePointer(path);
    if (op === "replace") locate(this.patched, tokens, this.#wording);
    else {
      const parent = locateParent(this.patched, tokens, this.#wording);
      if (isContainer(parent) && !Array.isArray(parent) && Object.hasOwn(parent, tokens.at(-1) ?? "")) {
        this.overwritten.push(path);
      }
    }
    // Bounds the work of the patch. Removals do not count, as they can remove only what was there or was added.
    const bytes = storedBytes(value, limits.jsonDepth - tokens.length);
    if (bytes === tooDeep) {
      throw new PatchError(`the patched value would be nested deeper than ${limits.jsonDepth} levels`);
    }
    this.#bytes += bytes;
    if (this.#bytes > limits.patchBytes) {
      throw new PatchError(`the operations add more than ${limits.patchBytes / 1024 / 1024} MiB in total`);
    }
    // The library inserts by reference. Without a copy, the next environment would get a different patch.
    this.patched = applyOperation<Json>(this.patched, { op, path, value: copyJson(value) }).newDocument;
  }
}

/** Takes a fraction of the time of structuredClone. */
function copyJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  // A spread defines every member as its own, `__proto__` too.
  const result = { ...value };
  for (const member in result) result[member] = copyJson(result[member] ?? null);
  return result;
}

/** Messages about inner members call each "member", and give no advice. */
const innerWording: Wording = { member: "member" };

/** Returns the value at the pointer with these tokens. Throws a PatchError if there is none. */
function locate(json: Json, tokens: readonly string[], wording: Wording): Json {
  return tokens.reduce(
    (value, token, depth) => stepInto(value, token, depth === 0 ? wording : innerWording),
    json,
  );
}

/**
 * Returns the list or object that an addition at the pointer with these tokens changes; null for the pointer "", which
 * replaces the whole. Throws a PatchError if nothing can be added there.
 */
function locateParent(json: Json, tokens: readonly string[], wording: Wording): Json {
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

type Container = Json[] | { [member: string]: Json };

function isContainer(value: Json | undefined): value is Container {
  return typeof value === "object" && value !== null;
}
