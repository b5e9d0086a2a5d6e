/** Shows what a deletion of a feature would delete, and asks. */
import type { Deletion } from "../../../../lib/contract/responses/features.ts";
import { requireConfirmation } from "../../../cli/confirm.ts";
import { print, printJson } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import type { FeatureContent, TableContent } from "../../../store/content.ts";
import type { CommandOptions } from "../command.ts";
import { describeFeature, featureAsJson } from "../words/describe-feature.ts";

/** Returns whether to delete the feature: false for a dry run. `features` has at least those of its project. */
export async function confirmDeletion(
  shown: FeatureContent,
  features: TableContent["features"],
  { json, yes, dryRun = false }: CommandOptions,
): Promise<boolean> {
  const dependents = findDependents(shown, features);
  if (!json) print([describeFeature(shown), ...dependents.map(describeDependent)].join("\n"));
  if (dryRun) {
    if (json) printJson({ dryRun, ...featureAsJson(shown), dependents });
    else print("Dry run, nothing was deleted.");
    return false;
  }
  const what = `the feature "${shown.name}" of project "${shown.project}"`;
  await requireConfirmation(`Delete ${what}, with its variants in all environments?`, { yes });
  return true;
}

interface Dependent {
  feature: string;
  environments: string[];
}

/** SDKs evaluate a feature whose parent they do not know as off. Their document has those of one project. */
function findDependents({ name, project }: FeatureContent, features: TableContent["features"]): Dependent[] {
  const others = [...features.values()].filter((other) => other.project === project && other.name !== name);
  const found = others.map(({ name: feature, environments }) => {
    const depending = [...environments].filter(([, { dependencies }]) =>
      dependencies.some((one) => one.feature === name),
    );
    return { feature, environments: depending.map(([environment]) => environment) };
  });
  return found.filter(({ environments }) => environments.length > 0);
}

function describeDependent({ feature, environments }: Dependent): string {
  return printable(`Depends on it, and is off without it: "${feature}" (${environments.join(", ")}).`);
}

export function printDeletion(name: string, deletion: Deletion, { json }: CommandOptions): void {
  const until = `until ${deletion.restorableUntil} "feature restore" brings it back`;
  if (json) printJson(deletion);
  else print(printable(`Deleted the feature "${name}"; ${until}.`));
}
