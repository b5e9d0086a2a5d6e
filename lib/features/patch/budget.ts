/** Bounds a document while a patch builds it, and the work that the patch may ask for. */
import { limits } from "../../contract/limits.ts";
import type { Json } from "../json.ts";
import { PatchFault } from "./fault.ts";
import { weigh } from "./weigh.ts";

export class Budget {
  #size: number;
  #work = 0;

  constructor(document: Json) {
    this.#size = weigh(document);
  }

  /** A value is about to stand at this level of the document. */
  add(value: Json, level: number): void {
    const bytes = weigh(value, level);
    this.#size += bytes;
    this.#work += bytes;
    if (this.#size > limits.itemBytes) {
      throw new PatchFault(`makes the list larger than a stored item can be (${limits.itemBytes / 1024} KB)`);
    }
    if (this.#work > limits.patchBytes) {
      throw new PatchFault(`makes the patch move more than ${limits.patchBytes / 1024 / 1024} MB in all`);
    }
  }

  /** A value is about to leave the document. No more can leave than was there or was added, so that is not counted. */
  remove(value: Json): void {
    this.#size -= weigh(value);
  }
}
