/** `feature create` */
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import { newContent } from "../../../lib/features/model.ts";
import { type ProjectItem, projectKey } from "../../../lib/store/items.ts";
import { getItem } from "../../../lib/store/read-items.ts";
import type { Session } from "../../../lib/store/session.ts";
import { print, printJson } from "../../cli/output.ts";
import { Refusal, UsageError } from "../../cli/refusal.ts";
import { featureStateSchema } from "../../state/schemas.ts";
import { toFeature } from "../../store/content.ts";
import { readProjects } from "../../store/read-content.ts";
import { readStoredFeature } from "../../store/read-table.ts";
import { concurrentChange, retryConflicts } from "../../store/replace-item.ts";
import { requireNotBeingCreated, writeFeature } from "../../store/write-feature.ts";
import { type CommandOptions, command, onTable, requireValid } from "../command.ts";
import { requireScope } from "../find.ts";
import type { OperatorSession } from "../place.ts";

export function createFeatureCommand(): Command {
  return command("create", "Create a feature in all environments of a project, off and without variants", [
    ["feature create checkout --project default", "a feature to add variants and tags to"],
  ])
    .argument("<name>", "the name of the feature")
    .requiredOption("--project <id>", "the project that it belongs to")
    .action(onTable(createFeature));
}

async function createFeature(
  session: OperatorSession,
  { json, project }: CommandOptions & { project: string },
  name: string,
): Promise<void> {
  requireValid("feature", featureStateSchema, { name, project });
  // Stricter than state files, as Unleash is. The schema has refused lone surrogates, which cannot be encoded.
  if (encodeURIComponent(name) !== name || name === "." || name === "..") {
    throw new UsageError(
      `the feature's name "${name}" must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."`,
    );
  }
  const stamp = session.newStamp();
  let isCreated = false;
  const environments = await retryConflicts(async () => {
    const environments = await environmentsOfProject(session, project);
    const stored = await readStoredFeature(session, name);
    requireNotBeingCreated(stored, stamp);
    const { item } = stored;
    if (item && !isCreated) throw existing(name, item.project, project);
    const before = item && toFeature({ ...stored, item });
    const contents = environments.map((one) => [one, before?.environments.get(one) ?? newContent] as const);
    const tags = before?.tags ?? [];
    await writeFeature(session, stored, { name, project, tags, environments: new Map(contents) }, stamp);
    isCreated = true;
    // A `project put` that did not find this feature yet has not added its new environments to it.
    const now = await environmentsOfProject(session, project);
    if (!isDeepStrictEqual(now, environments)) throw concurrentChange();
    return environments;
  });
  if (json) return printJson({ name, project, environments });
  const where = environments.join(", ") || "no environments";
  print(`Created the feature "${name}" in project "${project}" (${where}).`);
}

function existing(name: string, from: string, to: string): Refusal {
  const move = `; a feature stays in its project: delete it (\`feature delete\`), then create it in "${to}"`;
  return new Refusal(`the feature "${name}" already exists, in project "${from}"${from === to ? "" : move}`);
}

/** The others are read only to suggest another project. */
async function environmentsOfProject(session: Session, project: string): Promise<readonly string[]> {
  const item = await getItem<ProjectItem>(session, projectKey(project));
  if (item) return item.environments;
  const projects = await readProjects(session);
  requireScope(projects, { project });
  return projects.get(project) ?? [];
}
