/**
 * One operation on a document: judged against RFC 6902 and the budget first, then done by the library. It inserts by
 * reference, so it gets copies: without them the next environment would get a different patch.
 */
import { applyOperation } from "fast-json-patch";
import type { PatchOperation } from "../../contract/patch.ts";
import { parsePointer } from "../../contract/pointer.ts";
import type { Json } from "../json.ts";
import type { Budget } from "./budget.ts";
import { copy } from "./copy.ts";
import { PatchFault } from "./fault.ts";
import { displaced, locate } from "./locate.ts";

/** The document after the operation; the one given may have been changed on the way. */
export function operate(document: Json, operation: PatchOperation, budget: Budget): Json {
  const tokens = parsePointer(operation.path);
  switch (operation.op) {
    case "add":
      return add(document, operation.path, tokens, operation.value as Json, budget);
    case "remove":
      budget.remove(locate(document, tokens));
      return run(document, { op: "remove", path: operation.path });
    case "replace":
      budget.remove(locate(document, tokens));
      budget.add(operation.value as Json, tokens.length);
      return run(document, { op: "replace", path: operation.path, value: copy(operation.value as Json) });
    case "copy":
      return add(document, operation.path, tokens, locate(document, parsePointer(operation.from)), budget);
    case "move":
      return move(document, operation.from, operation.path, tokens, budget);
  }
}

/** RFC 6902 section 4.1: inserts into a list; in an object, or for the whole document, takes the old value's place. */
function add(document: Json, path: string, tokens: readonly string[], value: Json, budget: Budget): Json {
  const old = displaced(document, tokens);
  if (old !== undefined) budget.remove(old);
  budget.add(value, tokens.length);
  return run(document, { op: "add", path, value: copy(value) });
}

/** RFC 6902 section 4.4: a removal, then an addition of what was removed; never into itself. */
function move(document: Json, from: string, path: string, tokens: readonly string[], budget: Budget): Json {
  const value = locate(document, parsePointer(from));
  if (from === path) return document;
  if (path.startsWith(`${from}/`)) throw new PatchFault("cannot move a value into itself");
  budget.remove(value);
  return add(run(document, { op: "remove", path: from }), path, tokens, value, budget);
}

function run(document: Json, operation: Parameters<typeof applyOperation<Json>>[1]): Json {
  return applyOperation<Json>(document, operation).newDocument;
}
