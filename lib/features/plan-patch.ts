/** Plans a JSON Patch of an environment's variants. */
import type { Variant } from "../contract/variants.ts";
import { applyPatch } from "./json-patch/apply.ts";
import type { PatchEdit, Plan } from "./model.ts";
import { parsePatched } from "./parse-variants.ts";
import { isSharedEvenly, normalise, toForm } from "./variant-list.ts";

export function planPatch(
  { patch, form }: Omit<PatchEdit, "kind">,
  variants: Variant[],
): Pick<Plan, "variants" | "hint"> {
  // An empty patch does not even normalise weights that an import stored.
  if (patch.length === 0) return { variants };
  const replaced: string[] = [];
  const document = applyPatch(toForm(variants, form), patch, {
    member: "variant",
    onReplaced: (name) => replaced.push(name),
  });
  const sent = parsePatched(document, form);
  const patched = normalise(sent);
  return { variants: patched, hint: replacedHint(replaced, patched) ?? weightHint(variants, sent, patched) };
}

/** Names only a variant that is still there: the name of one that was removed again may be any text of the patch. */
function replacedHint(replaced: readonly string[], after: readonly Variant[]): string | undefined {
  const name = replaced.find((one) => after.some((variant) => variant.name === one));
  return name === undefined ? undefined : `The patch replaces the variant "${name}", which was there already`;
}

function weightHint(
  before: readonly Variant[],
  sent: readonly Variant[],
  after: readonly Variant[],
): string | undefined {
  const weightsOf = (variants: readonly Variant[]) =>
    new Map(variants.map(({ name, weight }) => [name, weight]));
  const [had, has] = [weightsOf(before), weightsOf(after)];
  const moved = sent.filter(({ name, weight }) => weight !== has.get(name));
  const lost = moved.find(({ name, weight }) => weight !== (had.get(name) ?? 0));
  if (lost) {
    return `The weight ${lost.weight} of variant "${lost.name}" has no effect: variable variants share evenly what the fix ones leave; set weightType to fix to keep it`;
  }
  const shared = isSharedEvenly(before) ? undefined : moved.find(({ name }) => had.has(name));
  return (
    shared &&
    `The weight of variant "${shared.name}" goes from ${shared.weight} to ${has.get(shared.name)}: variable variants share evenly what the fix ones leave, and the stored weights did not; set weightType to fix to keep a weight`
  );
}
