/** `feature create NAME` */
import type { Command } from "commander";
import { getItem, type ProjectItem, projectKey } from "../../../../lib/store/items.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { Refusal, UsageError } from "../../../refusal.ts";
import { featureStateSchema } from "../../../state/state.ts";
import { readStoredFeature } from "../../../store/read-stored-feature.ts";
import { command, type Options, onTable } from "../../command.ts";
import type { OperatorSession } from "../../operator.ts";
import { makeChanges } from "../../plan/make-changes.ts";
import { readProjectsAndKeys } from "../../read-all.ts";
import { requireValidState } from "../../require-valid-state.ts";
import { didYouMean } from "../../terminal/nearest.ts";
import { print, printJson } from "../../terminal/output.ts";

interface CreateOptions extends Options {
  project: string;
}

export function createFeatureCommand(): Command {
  return command("create", "Create a feature in all environments of a project, without variants", {
    examples: [["feature create checkout --project default", "a feature to add variants and tags to"]],
  })
    .argument("<name>", "the name of the feature")
    .requiredOption("--project <id>", "the project that it belongs to")
    .action(onTable(createFeature));
}

async function createFeature(
  session: OperatorSession,
  { json, project }: CreateOptions,
  name: string,
): Promise<void> {
  refuseInvalid(name, project);
  const environments = await environmentsOf(session, project);
  const stored = await readStoredFeature(session, name);
  if (stored.item) throw existing(name, stored.item.project, project);
  const lists = new Map(environments.map((environment) => [environment, []]));
  const after = { name, project, tags: [], environments: lists };
  await makeChanges(session, [{ kind: "feature", name, stored, before: undefined, after }]);
  if (json) return printJson({ name, project, environments });
  const where = environments.length === 0 ? "no environments" : environments.join(", ");
  print(`Created the feature "${name}" in project "${project}" (${where}).`);
}

function existing(name: string, from: string, to: string): Refusal {
  const move = `; a feature stays in its project: delete it (\`feature delete\`), then create it in "${to}"`;
  return new Refusal(`the feature "${name}" already exists, in project "${from}"${from === to ? "" : move}`);
}

/** Stricter than state files, which may have names that earlier versions accepted; Unleash refuses these too. */
function refuseInvalid(name: string, project: string): void {
  requireValidState("feature", featureStateSchema, { name, project });
  // The schema has refused lone surrogates, which cannot be encoded.
  if (encodeURIComponent(name) !== name || name === "." || name === "..") {
    throw new UsageError(
      `the feature's name "${name}" must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."`,
    );
  }
}

/** The whole table is read only to suggest another project. */
async function environmentsOf(session: Session, id: string): Promise<string[]> {
  const project = await getItem<ProjectItem>(session, projectKey(id));
  if (project) return project.environments;
  const { projects } = await readProjectsAndKeys(session);
  throw new Refusal(
    `there is no project "${id}"${didYouMean(id, projects.keys())}: \`project put\` creates one`,
  );
}
