/** Defines `feature create`. */
import type { Command } from "commander";
import { ConflictError, NotFoundError } from "../../../../lib/contract/errors.ts";
import { createFeatureSchema } from "../../../../lib/contract/features.ts";
import { featureSchema } from "../../../../lib/contract/responses/features.ts";
import { didYouMean } from "../../../cli/did-you-mean.ts";
import { print, printJson } from "../../../cli/output.ts";
import { Refusal } from "../../../cli/refusal.ts";
import type { Api } from "../../api/api.ts";
import { isOutcomeUnknown } from "../../api/error-codes.ts";
import { burgeeHeaders } from "../../api/headers.ts";
import { pathOf } from "../../api/path.ts";
import { type FeatureOptions, getProjects, projectMeant, readFeature } from "../api/find.ts";
import { sendWrite } from "../api/send-write.ts";
import {
  type CommandOptions,
  command,
  onApi,
  projectOption,
  reasonOption,
  requireValid,
} from "../command.ts";

export function createFeatureCommand(): Command {
  return command("create", "Create a feature in all environments of a project, off and without variants", [
    ["feature create checkout --project default", "a feature to add variants and tags to"],
  ])
    .argument("<name>", "the name of the feature")
    .addOption(projectOption("the project of the feature, if there are several"))
    .addOption(reasonOption())
    .option("-y, --yes", "accepted as for other commands; this one does not ask")
    .action(onApi(createOne));
}

async function createOne(
  api: Api,
  { json, reason, ...options }: CommandOptions & FeatureOptions & { reason?: string },
  name: string,
): Promise<void> {
  requireValid("feature", createFeatureSchema, { name });
  const project = await projectMeant(api, options.project);
  const created = await sendWrite(api, featureSchema, {
    method: "POST",
    path: pathOf(["projects", project, "features"]),
    headers: burgeeHeaders({ reason }),
    body: { name },
  }).catch((error) => refuse(api, { project, name }, error));
  if (json) return printJson(created.raw);
  const environments = created.body?.environments.map(({ environment }) => environment);
  if (!environments) return print(`Created the feature "${name}" in project "${project}".`);
  const where = environments.join(", ") || "no environments";
  print(`Created the feature "${name}" in project "${project}" (${where}).`);
}

/** Suggests the project that was meant, or says where the feature is. */
async function refuse(
  api: Api,
  { project, name }: { project: string; name: string },
  error: unknown,
): Promise<never> {
  const isKnown = error instanceof NotFoundError || error instanceof ConflictError;
  if (!isKnown || isOutcomeUnknown(error.code)) throw error;
  const projects = (await getProjects(api)).map(({ id }) => id);
  if (error instanceof NotFoundError) {
    throw new Refusal(`there is no project "${project}"${didYouMean(project, projects)}`, { cause: error });
  }
  const found = await Promise.all(projects.map((id) => readFeature(api, id, name)));
  const existing = found.find((one) => one !== undefined)?.feature;
  if (!existing) throw error;
  const exists = `the feature "${name}" already exists, in project "${existing.project}"`;
  const advice = `a feature stays in its project: delete it (\`feature delete\`), then create it in "${project}"`;
  throw new Refusal(existing.project === project ? exists : `${exists}; ${advice}`, { cause: error });
}
