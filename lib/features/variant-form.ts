/** The two forms of variants: a list, or an object keyed by name. */
import type { Variant, VariantForm } from "../contract/variants.ts";
import type { Json } from "./json-patch/json.ts";

export type NamelessVariant = Omit<Variant, "name">;

export function toForm(variants: readonly Variant[], form: VariantForm): Json {
  const document =
    form === "name"
      ? Object.fromEntries(variants.map((variant) => [variant.name, withoutName(variant)]))
      : variants;
  return document as Json;
}

export function withoutName({ name: _, ...variant }: Variant): NamelessVariant {
  return variant;
}
