/** The bodies of responses about a feature: as it is, after a change, or as a change would leave it. */
import type { SwitchedEnvironment } from "../contract/responses.ts";
import type { Variant, VariantForm } from "../contract/variants.ts";
import type { Target } from "./model.ts";
import type { PlannedOutcome } from "./outcome.ts";
import { etagOf } from "./preconditions.ts";
import { toDetail, toPreview } from "./report.ts";
import type { FeatureState } from "./stores.ts";
import { sortTags } from "./tag-list.ts";
import { toForm } from "./variant-form.ts";

/** What a body has of each environment: whether the feature is on there, or its variants in a form. */
export type Shown = "switch" | VariantForm;

export function bodyOfPreview(outcomes: readonly PlannedOutcome[], shown: Shown): object {
  if (shown === "switch") return { version: 1, environments: outcomes.map(toSwitchPreview) };
  return { ...bodyAfter(outcomes, shown), environments: outcomes.map((one) => toPreview(one, shown)) };
}

export function bodyAfter(outcomes: readonly PlannedOutcome[], shown: Shown): object {
  if (shown === "switch") return { version: 1, environments: outcomes.map(toSwitched) };
  const after = outcomes.map((outcome) => outcome.after);
  return variantsBody(after, shown);
}

function toSwitchPreview(outcome: PlannedOutcome): SwitchedEnvironment {
  const { hint } = outcome;
  return { ...toSwitched(outcome), ...toDetail(outcome), ...(hint !== undefined && { hint }) };
}

function toSwitched({ after: { environment, enabled } }: PlannedOutcome): SwitchedEnvironment {
  return { environment, enabled };
}

/** The variants of the first environment. */
export function variantsBody([first]: readonly { variants: Variant[] }[], form: VariantForm) {
  return { version: 1, ...formOf(form), variants: toForm(first?.variants ?? [], form) };
}

/** A body by name says so; generated clients distinguish the two forms by it. */
function formOf(form: VariantForm) {
  return form === "name" && { by: form };
}

export function featureBody(target: Target, { tags, environments }: FeatureState, form: VariantForm) {
  const { project, feature: name } = target;
  return {
    version: 1,
    ...formOf(form),
    name,
    project,
    tags: sortTags(tags.tags),
    environments: environments.map((state) => {
      const { environment, enabled, variants } = state;
      // As a header has it, so that it can be sent as it is.
      const etag = `"${etagOf({ ...target, environment }, [state])}"`;
      return { environment, enabled, variants: toForm(variants, form), etag };
    }),
  };
}
