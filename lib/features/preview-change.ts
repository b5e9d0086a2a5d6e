/** Previews a change in every environment, beyond the first failure. Its store cannot write. */
import { ApiError } from "../contract/errors.ts";
import type { EnvironmentPreview } from "../contract/responses.ts";
import { type Plan, planIn } from "./change-environment.ts";
import { type ChangeRequest, planRequest, requirePlanInEach, stoppedAt } from "./change-feature.ts";
import { featureEtag } from "./etag.ts";
import type { EnvironmentState } from "./feature.ts";
import { readEnvironments } from "./preconditions.ts";
import type { VariantReader } from "./stores.ts";
import { variantChanges } from "./variant-diff.ts";

interface Preview {
  environments: EnvironmentPreview[];
  /** Of what is stored: with it as If-Match, the request itself applies to what the preview has seen. */
  etag: string;
}

interface PreviewOptions {
  /** A failure is thrown as the request itself would throw it, instead of being reported as an outcome. */
  strict: boolean;
}

export async function previewChange(
  store: VariantReader,
  request: ChangeRequest,
  { strict }: PreviewOptions,
): Promise<Preview> {
  const states = await readEnvironments(store, request.target, request.idempotency);
  const { plan, plansAllFirst } = planRequest(request, states);
  if (strict && plansAllFirst) requirePlanInEach(plan, states);
  const environments: EnvironmentPreview[] = [];
  for (const state of states) {
    try {
      environments.push(preview(store, request, plan, state));
    } catch (error) {
      if (strict) throw stoppedAt(error, environments, states);
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const { environment, variants } = state;
      environments.push({ environment, outcome: "failed", variants, message: error.message });
    }
  }
  return { environments, etag: featureEtag(states) };
}

function preview(
  store: VariantReader,
  { target, stamp, form, idempotency }: ChangeRequest,
  plan: Plan,
  before: EnvironmentState,
): EnvironmentPreview {
  const { undoes, ...planned } = planIn(before, plan);
  const { variants } = planned;
  if (planned.outcome === "patched" && !before.earlierWrite) {
    store.requireRoomForVariants({ ...target, before, variants, undoes, stamp, idempotency });
  }
  return { ...planned, changes: variantChanges(before.variants, variants, form) };
}
