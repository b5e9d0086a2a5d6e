/** A JSON Patch (RFC 6902) applied to a document of any content, safely. */
import { ValidationError } from "../../contract/errors.ts";
import type { Patch, PatchOperation } from "../../contract/patch.ts";
import type { Json } from "../json.ts";
import { Budget } from "./budget.ts";
import { copy } from "./copy.ts";
import { PatchFault } from "./fault.ts";
import { operate } from "./operate.ts";

/** Neither the document nor the patch is changed. RFC 6902 section 5: the first failure ends it all. */
export function applyPatch(document: Json, patch: Patch): Json {
  const budget = new Budget(document);
  let result = copy(document);
  patch.forEach((operation, index) => {
    try {
      result = operate(result, operation, budget);
    } catch (error) {
      if (!(error instanceof PatchFault)) throw error;
      throw new ValidationError(`operation ${index} (${name(operation)}): ${error.message}`);
    }
  });
  return result;
}

function name(operation: PatchOperation): string {
  const from = "from" in operation ? `${quote(operation.from)} to ` : "";
  return `${operation.op} ${from}${quote(operation.path)}`;
}

function quote(pointer: string): string {
  return pointer === "" ? '""' : pointer.length > 120 ? `${pointer.slice(0, 120)}...` : pointer;
}
