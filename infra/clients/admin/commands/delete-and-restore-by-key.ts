/** Runs `feature delete` and `feature restore` with an API key. */
import {
  ConflictError,
  NoAccessError,
  NotFoundError,
  PreconditionFailed,
} from "../../../../lib/contract/errors.ts";
import { deletionSchema, featureSchema } from "../../../../lib/contract/responses/features.ts";
import { requireConfirmation } from "../../../cli/confirm.ts";
import { print, printJson } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal, UsageError } from "../../../cli/refusal.ts";
import { type Api, request, requireEtag } from "../../api/api.ts";
import { burgeeHeaders } from "../../api/headers.ts";
import {
  type FeatureOptions,
  lookUpFeature,
  pathOfFeature,
  projectMeant,
  projectsNamed,
} from "../api/find.ts";
import { readContentOfApi, toFeatureContent } from "../api/read-content.ts";
import { sendWrite } from "../api/send-write.ts";
import { confirmDeletion, printDeletion } from "../change/confirm-deletion.ts";
import type { CommandOptions } from "../command.ts";
import { describeFeature } from "../words/describe-feature.ts";

type Options = CommandOptions & FeatureOptions;

export async function deleteByKey(api: Api, options: Options, name: string): Promise<void> {
  const { dryRun, yes } = options;
  const found = await lookUpFeature(api, name, options).catch(async (error) => {
    // The feature of an interrupted deletion is not found: a deletion without a look-up completes it.
    if (!(error instanceof Refusal) || dryRun) throw error;
    const completed = await completeByKey(api, options, name);
    if (!completed) throw error;
    printDeletion(name, completed, options);
    return undefined;
  });
  if (!found) return;
  // An answer counts for what was shown. With --yes, what is there by then is deleted.
  const precondition = yes ? {} : { "if-match": requireEtag(found.headers) };
  const { project } = found.feature;
  const { features } = await readContentOfApi(api, project);
  if (!(await confirmDeletion(toFeatureContent(found.feature), features, options))) return;
  const deletion = await sendDeletion(api, options, [project, name], precondition).catch((error) => {
    if (!(error instanceof PreconditionFailed)) throw error;
    const changed = `the feature "${name}" was changed since it was shown; run the command again`;
    throw new Refusal(changed, { cause: error });
  });
  printDeletion(name, deletion, options);
}

async function completeByKey(api: Api, options: Options, name: string) {
  for (const project of await projectsNamed(api, options.project)) {
    const completed = await sendDeletion(api, options, [project, name]).catch((error) => {
      if (!(error instanceof NotFoundError || error instanceof NoAccessError)) throw error;
    });
    if (completed) return completed;
  }
  return undefined;
}

async function sendDeletion(
  api: Api,
  { reason }: Options,
  [project, name]: [string, string],
  precondition: { "if-match"?: string } = {},
) {
  const path = pathOfFeature({ project, name });
  const headers = { ...burgeeHeaders({ reason }), ...precondition };
  return (await request(api, deletionSchema, { method: "DELETE", path, headers })).body;
}

export async function restoreByKey(
  api: Api,
  options: Options & { deletion?: string },
  name: string,
): Promise<void> {
  const { json, yes, dryRun, deletion, reason } = options;
  if (dryRun || deletion !== undefined) {
    throw new UsageError(`--${dryRun ? "dry-run" : "deletion"} of a restoration needs access to the table`);
  }
  const project = await projectMeant(api, options.project);
  const what = `the feature "${name}" of project "${project}"`;
  await requireConfirmation(`Restore ${what}, on or off as it was before its last deletion?`, { yes });
  const restored = await sendWrite(api, featureSchema, {
    method: "POST",
    path: pathOfFeature({ project, name }, undefined, "restore"),
    headers: burgeeHeaders({ reason }),
  }).catch((error) => {
    throw error instanceof ConflictError || error instanceof NotFoundError
      ? new Refusal(error.message, { cause: error })
      : error;
  });
  if (json) return printJson(restored.raw);
  if (restored.body) print(describeFeature(toFeatureContent(restored.body)));
  print(printable(`Restored the feature "${name}".`));
}
