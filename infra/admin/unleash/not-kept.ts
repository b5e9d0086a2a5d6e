/** Reports what an export has and Burgee does not keep. */
import type { Omissions } from "./left-out.ts";
import type { UnleashExport } from "./schema.ts";

const read = new Set(["features", "featureEnvironments", "featureTags"]);
const readOfFeatures = new Set(["name", "project", "archived"]);

export function reportNotKept(exported: UnleashExport, omissions: Omissions): void {
  for (const [list, entries] of Object.entries(exported)) {
    if (read.has(list) || !Array.isArray(entries)) continue;
    for (const [index, entry] of entries.entries()) {
      const why = `not kept by Burgee${hasVariants(entry) ? ", nor are their own variants" : ""}`;
      omissions.add(list, why, nameOf(entry) ?? `number ${index + 1}`);
    }
  }
  for (const { name, ...members } of exported.features) {
    for (const [member, value] of Object.entries(members)) {
      const saysNothing = value === null || value === false || value === "" || isEmptyList(value);
      if (!saysNothing && !readOfFeatures.has(member)) omissions.add(member, "not kept for a feature", name);
    }
  }
  for (const { featureName, environment, enabled } of exported.featureEnvironments) {
    if (enabled === true)
      omissions.add(
        "enabled",
        "features are not switched on or off here",
        `${featureName} in ${environment}`,
      );
  }
}

/** Newer versions of Unleash create variants in strategies, not in environments. */
function hasVariants(entry: unknown): boolean {
  const { variants } = (entry ?? {}) as Record<string, unknown>;
  return Array.isArray(variants) && variants.length > 0;
}

/** Older versions of Unleash repeat a feature's variants outside its environments, mostly as an empty list. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { name, feature, featureName, id } = entry as Record<string, unknown>;
  const [named] = [name, feature, featureName, id].filter((text) => typeof text === "string");
  if (named === undefined) return undefined;
  const isOfAnother = typeof featureName === "string" && featureName !== named;
  // Strategies of several features share a name, so the feature and a short id follow it.
  return isOfAnother
    ? `${named} of ${featureName}${typeof id === "string" ? ` (${id.slice(0, 8)})` : ""}`
    : named;
}
