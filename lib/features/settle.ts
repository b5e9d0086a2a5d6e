/** Makes of what a patch left the list of variants that is stored, or says why it cannot be one. */
import { check, summarize } from "../contract/check.ts";
import { ValidationError } from "../contract/errors.ts";
import { type Variant, variantListSchema } from "../contract/variants.ts";
import type { Json } from "./json.ts";
import { dealWeights, weightFault } from "./weights.ts";

export function settle(document: Json): Variant[] {
  const { value: variants, faults } = check(variantListSchema, document);
  if (faults) throw new ValidationError(`the patched list is not a list of variants: ${summarize(faults)}`);
  const fault = weightFault(variants);
  if (fault) throw new ValidationError(`the patched list is not valid: ${fault}`);
  return dealWeights(variants).sort(byName);
}

/** The locale is named so that every machine sorts alike. */
function byName(left: Variant, right: Variant): number {
  return left.name.localeCompare(right.name, "en");
}
