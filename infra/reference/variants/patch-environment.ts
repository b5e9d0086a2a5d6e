/** The patch in one environment, as the document has it. */
import { ConflictError, ValidationError } from "../../../lib/contract/errors.ts";
import { refusal } from "../answers.ts";
import { type Operation, paragraphs } from "../operation.ts";
import { parametersOf } from "../parameters.ts";
import { body, done, refused } from "./patch.ts";
import { inOneEnvironment } from "./previews.ts";
import { dryRun, precondition, repeats, result, sizes } from "./prose.ts";
import * as refusals from "./refusals.ts";

const environment = "development";
const patched = `${environment}=patched`;
const outcomes = { replace: patched, add: patched, nothing: `${environment}=unchanged`, dryRun: patched };

export const patchEnvironmentsFeatureVariants: Operation = {
  operationId: "patchEnvironmentsFeatureVariants",
  tags: ["Features"],
  summary: "Patch the variants of a feature in one environment",
  description: paragraphs(
    "Applies a JSON Patch (RFC 6902, without `test`) to the list of variants of this environment. That is one atomic change: the patch is in, or nothing of it.",
    result,
    sizes,
    dryRun,
    `**Preconditions.** \`If-Match\` takes the \`etag\` of this environment. ${precondition}`,
    repeats,
    "Needs the permission `UPDATE_FEATURE_ENVIRONMENT_VARIANTS` in the environment.",
  ),
  parameters: parametersOf(
    ...(["projectId", "featureName", "environment", "dryRun", "ifMatch", "idempotencyKey"] as const),
  ),
  requestBody: body,
  responses: {
    ...done(
      "The variants of the environment, after the patch. Of a dry run: what they would be.",
      inOneEnvironment,
      outcomes,
    ),
    ...refusal("the body, the path, the query, a header or the patch is not valid. Nothing was changed.", {
      "Not to be followed": refusals.failedIn(environment, new ValidationError(refusals.outOfRange(2))),
      ...refusals.invalid,
    }),
    ...refusal("the API key lacks the permission in the environment.", {
      "No permission": refusals.missingPermissionIn(environment),
    }),
    ...refusal("there is no such project, no such feature in it, or the feature has no such environment.", {
      ...refusals.noSuchFeature,
      ...refusals.noSuchEnvironment,
    }),
    ...refusal(
      "others changed the environment at every try until the time was up, or the idempotency key came with another body before. Nothing was changed.",
      {
        "Changed by others": refusals.failedIn(environment, new ConflictError(refusals.overtaken)),
        ...refusals.keyUsed,
      },
    ),
    ...refused,
  },
};
