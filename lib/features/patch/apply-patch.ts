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

interface PatchOptions extends Wording {
  /** Whether the tree had a member at this pointer, given as its tokens, that `replaced` is to name. */
  wasThere?(tokens: readonly string[]): boolean;
}

interface PatchResult {
  tree: Json;
  /** The names of the members that an operation other than `replace` has replaced. */
  replaced: readonly string[];
}

/** Changes neither the tree nor the patch. RFC 6902 section 5: the first failure ends the patch. */
export function applyPatch(tree: Json, patch: Patch, options: Partial<PatchOptions> = {}): PatchResult {
  const patching = new Patching(tree, options);
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

/** A copy of a tree, which operations change. */
class Patching implements PatchResult {
  tree: Json;
  readonly replaced: string[] = [];
  readonly #options: PatchOptions;
  #bytes = 0;

  constructor(tree: Json, options: Partial<PatchOptions>) {
    this.tree = copyJson(tree);
    this.#options = { member: "member", ...options };
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
    const parent = locateParent(this.tree, tokens, this.#options);
    const name = tokens.at(-1) ?? "";
    if (isObject(parent) && Object.hasOwn(parent, name) && this.#options.wasThere?.(tokens))
      this.replaced.push(name);
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
    return locate(this.tree, parsePointer(pointer), this.#options);
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
    this.tree = applyOperation<Json>(this.tree, operation).newDocument;
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
