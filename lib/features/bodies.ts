/** Makes the bodies that show what a feature has in an environment. */
import { formMember, type Variant, type VariantForm } from "../contract/variants.ts";
import type { EnvironmentContent, States } from "./model.ts";
import { toDocument } from "./patch/environment-form.ts";
import { variantsInForm } from "./patch/variant-form.ts";

/** Shows all of the one environment that was read. */
export function environmentBody([state]: States) {
  return state && { version: 1, ...documentWithEnvironment(state) };
}

export function documentWithEnvironment(content: EnvironmentContent & { environment: string }) {
  return { environment: content.environment, ...toDocument(content) };
}

/** Shows the variants of the first environment. */
export function variantsBody([first]: readonly { variants: Variant[] }[], form: VariantForm) {
  return { version: 1, ...formMember(form), variants: variantsInForm(first?.variants ?? [], form) };
}
