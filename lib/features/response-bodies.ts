/** The bodies of responses about a feature: as it is, after a change, or as a change would leave it. */
import type { SwitchedEnvironment } from "../contract/responses.ts";
import type { Variant, VariantForm } from "../contract/variants.ts";
import type { Target } from "./model.ts";
import { type PlannedOutcome, toDetail, toPreview } from "./outcome.ts";
import { etagOf } from "./preconditions.ts";
import type { FeatureState } from "./stores.ts";
import { sortTags } from "./tag-list.ts";
import { toForm } from "./variant-form.ts";

/** What a request responds with for its outcomes. */
export interface Bodies {
  preview(outcomes: readonly PlannedOutcome[]): object;
  after(outcomes: readonly PlannedOutcome[]): object;
}

/** The bodies of a patch or an undo. */
export const variantBodies = (form: VariantForm): Bodies => {
  const after = (outcomes: readonly PlannedOutcome[]) =>
    variantsBody(
      outcomes.map((outcome) => outcome.after),
      form,
    );
  const preview = (outcomes: readonly PlannedOutcome[]) => ({
    ...after(outcomes),
    environments: outcomes.map((one) => toPreview(one, form)),
  });
  return { after, preview };
};

/** The bodies of a switch. */
export const switchBodies: Bodies = {
  preview: (outcomes) => ({ version: 1, environments: outcomes.map(toSwitchPreview) }),
  after: (outcomes) => ({ version: 1, environments: outcomes.map(toSwitched) }),
};

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
