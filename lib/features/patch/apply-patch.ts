/**
 * Applies a JSON Patch (RFC 6902) safely: each operation is checked against the RFC and the budget before the library
 * does it.
 */
import { applyOperation } from "fast-json-patch";
import { ValidationError } from "../../contract/errors.ts";
import { parsePointer } from "../../contract/json-pointer.ts";
import { limits } from "../../contract/limits.ts";
import type { Patch, PatchOperation } from "../../contract/patch.ts";
import { storedBytes } from "../stored-bytes.ts";
import { copyJson, isObject, type Json, locate, locateParent, PatchError, type Wording } from "./json.ts";

interface PatchResult {
  patched: Json;
  /** The paths of the members that an operation other than `replace` has replaced. */
  replaced: readonly string[];
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

/** Applies operations to a copy. */
class Patching implements PatchResult {
  patched: Json;
  readonly replaced: string[] = [];
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
        this.#add(path, operation.value as Json);
        break;
      case "remove":
        this.#find(path);
        this.#run({ op: "remove", path });
        break;
      case "replace":
        this.#find(path);
        this.#set("replace", path, operation.value as Json);
        break;
      case "copy":
        this.#add(path, this.#find(operation.from));
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
    this.#run({ op: "remove", path: from });
    this.#add(path, value);
  }

  /** RFC 6902 section 4.1: inserts into a list; elsewhere replaces the old value. */
  #add(path: string, value: Json): void {
    const tokens = parsePointer(path);
    const parent = locateParent(this.patched, tokens, this.#wording);
    if (isObject(parent) && Object.hasOwn(parent, tokens.at(-1) ?? "")) this.replaced.push(path);
    this.#set("add", path, value);
  }

  /**
   * The library inserts by reference, so it gets a copy: otherwise the next environment would get a different patch.
   */
  #set(op: "add" | "replace", path: string, value: Json): void {
    this.#spend(value, parsePointer(path).length);
    this.#run({ op, path, value: copyJson(value) });
  }

  #find(pointer: string): Json {
    return locate(this.patched, parsePointer(pointer), this.#wording);
  }

  /** Bounds the work of the patch. Removals do not count, as they can remove only what was there or was added. */
  #spend(value: Json, level: number): void {
    this.#bytes += storedBytes(value, limits.jsonDepth - level);
    if (this.#bytes === Number.POSITIVE_INFINITY) {
      throw new PatchError(`the patched value would be nested deeper than ${limits.jsonDepth} levels`);
    }
    if (this.#bytes > limits.patchBytes) {
      throw new PatchError(`the operations add more than ${limits.patchBytes / 1024 / 1024} MiB in total`);
    }
  }

  #run(operation: Parameters<typeof applyOperation<Json>>[1]): void {
    this.patched = applyOperation<Json>(this.patched, operation).newDocument;
  }
}

function describeOperation(operation: PatchOperation): string {
  const from = "from" in operation ? `${quote(operation.from)} to ` : "";
  return `${operation.op} ${from}${quote(operation.path)}`;
}

function quote(pointer: string): string {
  if (pointer.length > 120) return `${pointer.slice(0, 120).toWellFormed()}...`;
  return pointer === "" ? '""' : pointer;
}
