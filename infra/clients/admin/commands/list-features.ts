/** Defines `feature list`. */
import type { Command } from "commander";
import type { FeatureWithEnvironments } from "../../../../lib/contract/responses/lists.ts";
import { formatTags, printJson, printTable } from "../../../cli/output.ts";
import type { Api } from "../../api/api.ts";
import { usersInWords } from "../../words/users-in-words.ts";
import { type FeatureOptions, featuresIn, projectsNamed } from "../api/find.ts";
import { type CommandOptions, command, onApi } from "../command.ts";

type Options = CommandOptions & FeatureOptions;

export function listFeaturesCommand(): Command {
  return command(
    "list",
    "List the features with their project, tags, where they are on and for whom, and number of variants",
    [
      ["feature list", "all features"],
      ["feature list --project default --json", "those of one project, for a script"],
    ],
  )
    .option("--project <id>", "only the features of this project")
    .action(onApi(listFeatures));
}

async function listFeatures(api: Api, { json, project }: Options): Promise<void> {
  const features = [];
  for (const id of await projectsNamed(api, project)) {
    features.push(...(await featuresIn(api, id)).map((feature) => ({ project: id, ...feature })));
  }
  features.sort((left, right) => (left.name < right.name ? -1 : 1));
  if (json) return printJson(features);
  printTable(["feature", "project", "tags", "state"], features.map(toRow), "There are no features.");
}

function toRow({
  name,
  project,
  environments,
  tags,
}: FeatureWithEnvironments & { project: string }): string[] {
  const lists = environments.map((one) => {
    const { environment, enabled, variants } = one;
    const users = usersInWords(one);
    const state = enabled ? `on for ${users}` : `off${users && ` (${users})`}`;
    const count =
      variants.length === 0 ? "" : `, ${variants.length} variant${variants.length > 1 ? "s" : ""}`;
    return `${environment} ${state}${count}`;
  });
  return [name, project, formatTags(tags), lists.join("; ") || "no environments"];
}
