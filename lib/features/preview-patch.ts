/** A patch judged in every environment, as for real and beyond the first failure; nothing is written. */
import { ApiError } from "../contract/errors.ts";
import type { EnvironmentPreview } from "../contract/preview.ts";
import { admitPatch } from "./admit-patch.ts";
import { variantChanges } from "./changes.ts";
import { statesTag } from "./entity-tag.ts";
import type { EnvironmentState, Feature } from "./feature.ts";
import { patchEnvironment } from "./patch-environment.ts";
import type { FeaturePatch } from "./patch-feature.ts";

interface PatchPreview {
  environments: EnvironmentPreview[];
  /** The entity tag of what is stored: `if-match` with it holds the patch itself to the same. */
  tag: string;
}

/** The store of the patch is one that writes nothing. */
export async function previewPatch(stored: Feature | undefined, patch: FeaturePatch): Promise<PatchPreview> {
  const states = admitPatch(stored, patch);
  const environments = await Promise.all(states.map((state) => preview(patch, state)));
  return { environments, tag: statesTag(states) };
}

async function preview(patch: FeaturePatch, state: EnvironmentState): Promise<EnvironmentPreview> {
  const { environment, variants: before } = state;
  try {
    const { variants, outcome } = await patchEnvironment(patch, state);
    return { environment, outcome, variants, changes: variantChanges(before, variants) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return { environment, outcome: "failed", variants: before, message: error.message };
  }
}
