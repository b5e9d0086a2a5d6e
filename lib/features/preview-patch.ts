/** Previews a patch in every environment, beyond the first failure. Its store cannot write. */
import { ApiError } from "../contract/errors.ts";
import type { EnvironmentPreview } from "../contract/preview.ts";
import { featureEtag } from "./etag.ts";
import type { EnvironmentState } from "./feature.ts";
import { planEnvironment } from "./patch-environment.ts";
import { type FeaturePatch, readEnvironmentsToPatch, stoppedAt } from "./patch-feature.ts";
import type { VariantReader } from "./stores.ts";
import { variantChanges } from "./variant-diff.ts";

interface PatchPreview {
  environments: EnvironmentPreview[];
  /** Of what is stored: with it as If-Match, the patch itself applies to what the preview has seen. */
  etag: string;
}

interface Options {
  /** A failure is thrown as the patch itself would throw it, instead of being reported as an outcome. */
  strict: boolean;
}

export async function previewPatch(
  store: VariantReader,
  request: FeaturePatch,
  { strict }: Options,
): Promise<PatchPreview> {
  const states = await readEnvironmentsToPatch(store, request);
  const environments: EnvironmentPreview[] = [];
  for (const state of states) {
    try {
      environments.push(preview(store, request, state));
    } catch (error) {
      if (strict) throw stoppedAt(state.environment, error, environments, states);
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const { environment, variants } = state;
      environments.push({ environment, outcome: "failed", variants, message: error.message });
    }
  }
  return { environments, etag: featureEtag(states) };
}

function preview(store: VariantReader, request: FeaturePatch, before: EnvironmentState): EnvironmentPreview {
  const planned = planEnvironment(before, request);
  const { target, stamp, form, idempotency } = request;
  if (planned.outcome === "patched" && !before.earlierWrite) {
    store.requireRoomForVariants({ ...target, before, variants: planned.variants, stamp, idempotency });
  }
  return { ...planned, changes: variantChanges(before.variants, planned.variants, form) };
}
