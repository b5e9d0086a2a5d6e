/** Says in a few lines what a feature is: in each environment whether it is on, for whom, and its variants. */
import type { EnvironmentContent } from "../../../../lib/features/model.ts";
import { formatTags } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import type { FeatureContent } from "../../../store/content.ts";
import { sharesInWords } from "../../words/users-in-words.ts";
import { stateInWords } from "./strategy-sentence.ts";

export function describeFeature({ name, project, tags, environments }: FeatureContent): string {
  const tagged = tags.length > 0 ? `, tags: ${formatTags(tags)}` : "";
  const lines = [...environments].map(
    ([environment, content]) => `    ${environment}: ${environmentInWords(content)}`,
  );
  return [`feature "${name}" of project "${project}"${tagged}`, ...lines].map(printable).join("\n");
}

function environmentInWords({
  enabled,
  strategies,
  dependencies,
  targeting,
  variants,
  ...others
}: EnvironmentContent): string {
  others satisfies Record<string, never>;
  const shares = sharesInWords(variants);
  return stateInWords({ enabled, strategies, dependencies, targeting }) + (shares && `; ${shares}`);
}

/** Describes the same for scripts. */
export function featureAsJson({ name, project, tags, environments }: FeatureContent): object {
  const list = [...environments].map(([environment, content]) => ({ environment, ...content }));
  return { name, project, tags, environments: list };
}
