/** Converts features to the document that Unleash's SDKs load from `/api/client/features`. */
import type { Omissions } from "../unleash/left-out.ts";
import type { Scope, SelectedFeature } from "./select.ts";

/** Burgee keeps neither state nor strategies, so each feature is on for everyone: the variants decide. */
const always = { enabled: true, strategies: [{ name: "default", constraints: [], parameters: {} }] };

export function toUnleash(
  features: readonly SelectedFeature[],
  { environment, project }: Scope,
  omissions: Omissions,
): object {
  for (const { name, variants } of features) {
    const [first] = variants;
    if (variants.every(({ stickiness }) => stickiness === first?.stickiness)) continue;
    omissions.add("stickiness", "SDKs use that of the first variant for all", name);
  }
  return {
    version: 2,
    features: features.map(({ name, project, variants }) => ({
      name,
      type: "release",
      project,
      stale: false,
      impressionData: false,
      ...always,
      variants,
    })),
    query: { environment, ...(project !== undefined && { project: [project] }) },
  };
}
