/**
 * Applies a JSON Patch (RFC 6902) to a document of any content, safely. Each operation is checked against the RFC and
 * the budget first, then done by the library. It inserts by reference, so it gets copies: without them the next
 * environment would get a different patch.
 */
import { applyOperation } from "fast-json-patch";
import { ValidationError } from "../../contract/errors.ts";
import { parsePointer } from "../../contract/json-pointer.ts";
import type { Patch, PatchOperation } from "../../contract/patch.ts";
import { Budget } from "./budget.ts";
import { copyJson, type Json, PatchError } from "./json.ts";
import { displaced, locate } from "./locate.ts";

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
