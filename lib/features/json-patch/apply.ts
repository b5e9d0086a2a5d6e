/**
 * Applies a JSON Patch (RFC 6902) to a document of any content, safely. Each operation is checked against the RFC and
 * the budget first, then done by the library. It inserts by reference, so it gets copies: without them the next
 * environment would get a different patch.
 */
import { applyOperation } from "fast-json-patch";
import { ValidationError } from "../../contract/errors.ts";
import { NestedTooDeep, storedBytes } from "../../contract/item-size.ts";
import { parsePointer } from "../../contract/json-pointer.ts";
import { limits } from "../../contract/limits.ts";
import type { Patch, PatchOperation } from "../../contract/patch.ts";
import { copyJson, displaced, type Json, locate, PatchError } from "./json.ts";

/** What a member of the document itself is called in a message. */
interface Names {
  member?: string;
}

/** Changes neither the document nor the patch. RFC 6902 section 5: the first failure ends it all. */
export function applyPatch(document: Json, patch: Patch, { member = "member" }: Names = {}): Json {
  const budget = new Budget(document);
  let result = copyJson(document);
  patch.forEach((operation, index) => {
    try {
      result = operate(result, operation, budget, member);
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      throw new ValidationError(`operation ${index} (${describe(operation)}): ${error.message}`);
    }
  });
  return result;
}

/** The document after the operation; the given one may have been changed on the way. */
function operate(document: Json, operation: PatchOperation, budget: Budget, member: string): Json {
  const { path } = operation;
  const tokens = parsePointer(path);
  const find = (pointer: string) => locate(document, parsePointer(pointer), member);

  /** RFC 6902 section 4.1: inserts into a list; in an object, or for the whole document, replaces the old value. */
  function add(to: Json, value: Json): Json {
    const old = displaced(to, tokens, member);
    if (old !== undefined) budget.remove(old);
    budget.add(value, tokens.length);
    return run(to, { op: "add", path, value: copyJson(value) });
  }

  switch (operation.op) {
    case "add":
      return add(document, operation.value as Json);
    case "remove":
      budget.remove(find(path));
      return run(document, { op: "remove", path });
    case "replace":
      budget.remove(find(path));
      budget.add(operation.value as Json, tokens.length);
      return run(document, { op: "replace", path, value: copyJson(operation.value as Json) });
    case "copy":
      return add(document, find(operation.from));
    case "move": {
      // RFC 6902 section 4.4: a removal, then an addition of what was removed; never into itself.
      const { from } = operation;
      const value = find(from);
      if (from === path) return document;
      if (path.startsWith(`${from}/`)) throw new PatchError("a value cannot be moved into itself");
      budget.remove(value);
      return add(run(document, { op: "remove", path: from }), value);
    }
  }
}

function run(document: Json, operation: Parameters<typeof applyOperation<Json>>[1]): Json {
  return applyOperation<Json>(document, operation).newDocument;
}

function describe(operation: PatchOperation): string {
  const from = "from" in operation ? `${quote(operation.from)} to ` : "";
  return `${operation.op} ${from}${quote(operation.path)}`;
}

function quote(pointer: string): string {
  if (pointer.length > 120) return `${pointer.slice(0, 120).toWellFormed()}...`;
  return pointer === "" ? '""' : pointer;
}

/** Bounds a document while a patch builds it, and the work that the patch may ask for. */
class Budget {
  #size: number;
  #work = 0;

  constructor(document: Json) {
    this.#size = sizeOf(document);
  }

  /** A value is about to be added at this level of the document. */
  add(value: Json, level: number): void {
    const bytes = sizeOf(value, level);
    this.#size += bytes;
    this.#work += bytes;
    if (this.#size > limits.itemBytes) {
      throw new PatchError(
        `the variants would be larger than a stored item (${limits.itemBytes / 1024} KiB)`,
      );
    }
    if (this.#work > limits.patchBytes) {
      throw new PatchError(`the patch moves more than ${limits.patchBytes / 1024 / 1024} MiB in total`);
    }
  }

  /** A value is about to leave the document. Not counted as work: no more can leave than was there or was added. */
  remove(value: Json): void {
    this.#size -= sizeOf(value);
  }
}

function sizeOf(value: Json, level = 0): number {
  try {
    return storedBytes(value, limits.jsonDepth - level);
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    throw new PatchError(`the variants would be nested deeper than ${limits.jsonDepth} levels`);
  }
}
