/** Plans a JSON Patch of the variants of an environment. */
import { isDeepStrictEqual } from "node:util";
import type { Patch } from "../contract/patch.ts";
import type { Variant, VariantForm } from "../contract/variants.ts";
import type { PlannedEnvironment } from "./change-environment.ts";
import type { Planner } from "./change-feature.ts";
import type { EnvironmentState } from "./feature.ts";
import { applyPatch } from "./json-patch/apply.ts";
import { isFixed, normalise, parseDocument, toDocument } from "./variant-list.ts";

/** Each environment is patched on its own: a failure in one leaves those before it patched. */
export function planPatch(patch: Patch, form: VariantForm): Planner {
  return (states) => ({
    plan: (state) => patchEnvironment(state, patch, form),
    permissionNeededIn: states,
    plansAllFirst: false,
  });
}

function patchEnvironment(
  { environment, variants }: EnvironmentState,
  patch: Patch,
  form: VariantForm,
): PlannedEnvironment {
  // An empty patch changes nothing, not even weights that an import stored without normalising them.
  if (patch.length === 0) return { environment, variants, outcome: "unchanged" };
  const document = applyPatch(toDocument(variants, form), patch, { member: "variant" });
  const sent = parseDocument(document, form);
  const patched = normalise(sent);
  const isUnchanged = isDeepStrictEqual(patched, variants);
  const hint = weightHint(variants, sent, patched);
  return {
    environment,
    variants: patched,
    outcome: isUnchanged ? "unchanged" : "patched",
    ...(hint !== undefined && { hint }),
  };
}

/** Names a weight that the patch set, and that was shared evenly all the same. */
function weightHint(
  before: readonly Variant[],
  sent: readonly Variant[],
  after: readonly Variant[],
): string | undefined {
  const weightsOf = (variants: readonly Variant[]) =>
    new Map(variants.map(({ name, weight }) => [name, weight]));
  const [had, has] = [weightsOf(before), weightsOf(after)];
  const lost = sent.find(
    (variant) =>
      !isFixed(variant) &&
      variant.weight !== (had.get(variant.name) ?? 0) &&
      variant.weight !== has.get(variant.name),
  );
  return (
    lost &&
    `The weight ${lost.weight} of variant "${lost.name}" has no effect: variable variants share evenly what the fix ones leave; set weightType to fix to keep it`
  );
}
