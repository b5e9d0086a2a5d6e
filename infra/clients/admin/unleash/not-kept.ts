/** Reports what an export of Unleash has and Burgee does not keep. */
import type { Omissions } from "../../../../lib/documents/omissions.ts";
import type { UnleashExport } from "./export.ts";

const read = new Set([
  "features",
  "featureEnvironments",
  "featureTags",
  "featureStrategies",
  "segments",
  "dependencies",
]);
const readOfFeatures = new Set(["name", "project", "archived"]);

export function reportNotKept(exported: UnleashExport, omissions: Omissions): void {
  for (const [list, entries] of Object.entries(exported)) {
    if (read.has(list) || !Array.isArray(entries)) continue;
    for (const [index, entry] of entries.entries()) {
      omissions.add({ what: list, why: "not kept by Burgee", which: nameOf(entry) ?? `number ${index + 1}` });
    }
  }
  for (const { name, ...members } of exported.features) {
    for (const [member, value] of Object.entries(members)) {
      // Older versions of Unleash repeat a feature's variants outside its environments, mostly as an empty list.
      const saysNothing = !value || (Array.isArray(value) && value.length === 0);
      if (!saysNothing && !readOfFeatures.has(member))
        omissions.add({ what: member, why: "not kept for a feature", which: name });
    }
  }
}

/** Returns the name of the entry's feature, or its own. */
function nameOf(entry: unknown): string | undefined {
  const { featureName, feature, name, id } = (entry ?? {}) as Record<string, unknown>;
  return [featureName, feature, name, id].find((one) => typeof one === "string");
}
