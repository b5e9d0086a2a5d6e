/** `feature list` */
import type { Command } from "commander";
import type { Session } from "../../../../lib/store/session.ts";
import type { FeatureState } from "../../../state/state.ts";
import { command, type Options, onTable } from "../../command.ts";
import { toContent, toState } from "../../plan/content.ts";
import { readAll } from "../../read-all.ts";
import { requireScope } from "../../scopes.ts";
import { printJson, printTable } from "../../terminal/output.ts";
import { formatTags } from "../../terminal/quoted.ts";

interface ListOptions extends Options {
  project?: string;
}

export function listFeaturesCommand(): Command {
  return command("list", "List the features with their project, number of variants and tags", {
    examples: [
      ["feature list", "all features"],
      ["feature list --project default --json", "those of one project, for a script"],
    ],
  })
    .option("--project <id>", "only those of this project")
    .action(onTable(listFeatures));
}

async function listFeatures(session: Session, { json, project }: ListOptions): Promise<void> {
  const all = toContent(await readAll(session));
  requireScope(all.projects, { project });
  const features = toState(all).features.filter((one) => project === undefined || one.project === project);
  if (json) return printJson(features);
  printTable(["feature", "project", "variants", "tags"], features.map(toRow), "There are no features.");
}

function toRow({ name, project, environments = {}, tags }: FeatureState): string[] {
  const lists = Object.entries(environments).map(([name, { variants }]) => `${name} ${variants.length}`);
  return [name, project, lists.join(", ") || "no environments", formatTags(tags)];
}
