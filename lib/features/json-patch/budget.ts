/** Bounds a document while a patch builds it, and the work that the patch may ask for. */
import { NestedTooDeep, storedBytes } from "../../contract/item-size.ts";
import { limits } from "../../contract/limits.ts";
import { type Json, PatchError } from "./json.ts";

export class Budget {
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
