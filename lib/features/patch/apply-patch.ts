/**
 * Applies a JSON Patch (RFC 6902) safely. Each operation is checked against the RFC and the budget before the library
 * does it. The library inserts by reference, so it gets copies: otherwise the next environment would get a different
 * patch.
 */
import { applyOperation } from "fast-json-patch";
import { ValidationError } from "../../contract/errors.ts";
import { parsePointer } from "../../contract/json-pointer.ts";
import { limits } from "../../contract/limits.ts";
import type { Patch, PatchOperation } from "../../contract/patch.ts";
import { storedBytes } from "../stored-bytes.ts";
import { copyJson, isContainer, type Json, locate, PatchError, requirePlace } from "./json.ts";

interface Options {
  /** What messages call a member of the document itself. */
  member?: string;
  /** How deep the members are that `onReplaced` is about: 1 for those of the document itself. */
  memberDepth?: number;
  /** Called where an operation other than `replace` replaces such a member. */
  onReplaced?: (member: string) => void;
  /** Called before each operation with its document, which later ones change. */
  onOperation?: (index: number, document: Json) => void;
}

/** Changes neither the document nor the patch. RFC 6902 section 5: the first failure ends it. */
export function applyPatch(
  document: Json,
  patch: Patch,
  { member = "member", memberDepth = 1, onReplaced = () => {}, onOperation = () => {} }: Options = {},
): Json {
  let bytes = 0;
  /** Bounds the patch's work. Removals do not count: they remove no more than was there or was added. */
  const spend = (value: Json, level: number) => {
    bytes += storedBytes(value, limits.jsonDepth - level);
    if (bytes === Number.POSITIVE_INFINITY) {
      throw new PatchError(`the patched value would be nested deeper than ${limits.jsonDepth} levels`);
    }
    if (bytes > limits.patchBytes) {
      throw new PatchError(`the patch moves more than ${limits.patchBytes / 1024 / 1024} MiB in total`);
    }
  };
  let result = copyJson(document);
  patch.forEach((operation, index) => {
    onOperation(index, result);
    try {
      result = operate(result, operation, { spend, member, memberDepth, onReplaced });
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      throw new ValidationError(`operation ${index} (${describe(operation)}): ${error.message}`);
    }
  });
  return result;
}

interface Operating extends Required<Omit<Options, "onOperation">> {
  spend(value: Json, level: number): void;
}

/** May change the given document. */
function operate(
  document: Json,
  operation: PatchOperation,
  { spend, member, memberDepth, onReplaced }: Operating,
): Json {
  const { path } = operation;
  const tokens = parsePointer(path);
  const find = (pointer: string) => locate(document, parsePointer(pointer), member);

  function set(op: "add" | "replace", to: Json, value: Json): Json {
    spend(value, tokens.length);
    return run(to, { op, path, value: copyJson(value) });
  }

  /** RFC 6902 section 4.1: inserts into a list; elsewhere replaces the old value. */
  function add(to: Json, value: Json): Json {
    requirePlace(to, tokens, member);
    if (tokens.length === memberDepth) {
      const parent = locate(to, tokens.slice(0, -1), member);
      const name = tokens.at(-1) ?? "";
      if (isContainer(parent) && !Array.isArray(parent) && Object.hasOwn(parent, name)) onReplaced(name);
    }
    return set("add", to, value);
  }

  switch (operation.op) {
    case "add":
      return add(document, operation.value as Json);
    case "remove":
      find(path);
      return run(document, { op: "remove", path });
    case "replace":
      find(path);
      return set("replace", document, operation.value as Json);
    case "copy":
      return add(document, find(operation.from));
    case "move": {
      // RFC 6902 section 4.4: a removal, then an addition; never into itself.
      const { from } = operation;
      const value = find(from);
      if (from === path) return document;
      if (path.startsWith(`${from}/`)) throw new PatchError("a value cannot be moved into itself");
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
