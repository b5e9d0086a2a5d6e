/** Turns variants into the form that a body has and a patch applies to: a list, or an object keyed by name. */

import type { Json } from "../../contract/json.ts";
import type { Variant, VariantForm } from "../../contract/variants.ts";

export function variantsInForm(variants: readonly Variant[], form: VariantForm): Json {
  return (form === "name" ? variantsByName(variants) : variants) as Json;
}

export function variantsByName(variants: readonly Named[]) {
  return Object.fromEntries(variants.map((variant) => [variant.name, withoutName(variant)]));
}

export function withoutName<Element extends Named>({ name: _, ...variant }: Element): Omit<Element, "name"> {
  return variant;
}

export interface Named {
  name: string;
}
