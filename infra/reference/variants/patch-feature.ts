/** The patch in every environment, as the document has it. */
import { type ApiError, ConflictError, ValidationError } from "../../../lib/contract/errors.ts";
import { refusal } from "../answers.ts";
import { type Operation, paragraphs } from "../operation.ts";
import { parametersOf } from "../parameters.ts";
import { body, done, refused } from "./patch.ts";
import { inEveryEnvironment } from "./previews.ts";
import { dryRun, precondition, repeats, result, sizes } from "./prose.ts";
import * as refusals from "./refusals.ts";

const patched = "development=patched, production=patched";
const outcomes = {
  replace: patched,
  add: patched,
  nothing: "development=unchanged, production=unchanged",
  dryRun: patched,
  dryRunStopped: "development=patched, production=failed",
};

const missingPermission = refusals.missingPermissionIn("production");

export const patchFeatureVariants: Operation = {
  operationId: "patchFeatureVariants",
  tags: ["Features"],
  summary: "Patch the variants of a feature in every environment",
  description: paragraphs(
    "Applies one JSON Patch (RFC 6902, without `test`) to the list of variants of each environment that the feature has, one after the other, in the project's order.",
    "**Over the environments this is not atomic.** The first failure stops it: environments before it stay patched, those after it are untouched, and `details` tells for each of them whether it was `patched`, `unchanged`, `failed` or `not attempted`. Within one environment it is atomic: the patch is in, or nothing of it. To be safe, try it as a dry run first, send the `etag` of that as `if-match`, and give it an idempotency key.",
    result,
    sizes,
    dryRun,
    `**Preconditions.** \`If-Match\` takes the \`etag\` of the GET at this path, which covers every environment's revision. ${precondition} Where environments were patched already when that is found out, the answer is 409.`,
    repeats,
    "Needs the permissions `UPDATE_FEATURE_VARIANTS` in the project and `UPDATE_FEATURE_ENVIRONMENT_VARIANTS` in each environment of the feature. They are judged before anything is written.",
  ),
  parameters: parametersOf("projectId", "featureName", "dryRun", "ifMatch", "idempotencyKey"),
  requestBody: body,
  responses: {
    ...done(
      "The variants of the first environment in the project's order, after the patch; none if the feature has no environment. Of a dry run: what they would be, there and in every other environment.",
      inEveryEnvironment,
      outcomes,
    ),
    ...refusal("the body, the path, the query, a header or the patch is not valid.", {
      "Stopped halfway": stoppedInProduction(new ValidationError(refusals.outOfRange(1))),
      ...refusals.invalid,
    }),
    ...refusal("the API key lacks a permission, which the message names. Nothing was changed.", {
      "No permission in an environment": missingPermission.restated(missingPermission.message, [
        { message: missingPermission.message },
      ]),
    }),
    ...refusal("there is no such project, or no such feature in it.", refusals.noSuchFeature),
    ...refusal(
      "others changed an environment at every try until the time was up, or the patch no longer fits what they left; or the idempotency key came with another body before.",
      {
        "Changed by others": refusals.failedIn("development", new ConflictError(refusals.overtaken), {
          after: [{ environment: "production", outcome: "not attempted" }],
        }),
        "Changed by others halfway, with if-match": stoppedInProduction(
          new ConflictError("somebody changed it meanwhile"),
        ),
        ...refusals.keyUsed,
      },
    ),
    ...refused,
  },
};

function stoppedInProduction(error: ApiError): ApiError {
  return refusals.failedIn("production", error, {
    before: [{ environment: "development", outcome: "patched" }],
  });
}
