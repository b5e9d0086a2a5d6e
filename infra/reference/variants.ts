/** The variant patch, as the document has it. */
import { ConflictError, NoAccessError, NotFoundError } from "../../lib/contract/errors.ts";
import { limits } from "../../lib/contract/limits.ts";
import { type Content, refusal, success } from "./answers.ts";
import { failed, tooLarge, unauthenticated, unavailable, wrongMediaType, wrongMethod } from "./refusals.ts";
import { reference } from "./schemas.ts";
import { answers, conflict, invalid, requests } from "./variants-examples.ts";

const mediaTypes = ["application/json", "application/json-patch+json"];
const patch: Content = { schema: reference("patchesSchema"), examples: requests };

export const patchFeatureVariants = {
  operationId: "patchFeatureVariants",
  tags: ["Features"],
  summary: "Patch the variants of a feature in every environment",
  description: [
    "Applies one JSON Patch (RFC 6902, without `test`) to the list of variants of each environment that the feature has, one after the other, in the project's order.",
    "**Over the environments this is not atomic.** The first failure stops it: environments before it stay patched, those after it are untouched, and `details` tells for each of them whether it was `patched`, `unchanged`, `failed` or `not attempted`. Within one environment it is atomic: the patch is in, or nothing of it.",
    `Afterwards each list is checked as a whole: at least one variant is \`variable\`, and the weights are dealt so that they sum to 1000. It is sorted by name, and an index in a later patch is an index into that order. An empty patch changes nothing.`,
    `A patch takes ${limits.operations} operations, which may add, copy, move and replace ${limits.patchBytes / 1024 / 1024} MB in all. All variants of an environment must fit in ${limits.itemBytes / 1024} KB.`,
    "Needs the permissions `UPDATE_FEATURE_VARIANTS` in the project and `UPDATE_FEATURE_ENVIRONMENT_VARIANTS` in each environment of the feature. They are judged before anything is written.",
  ].join("\n\n"),
  parameters: [
    { $ref: "#/components/parameters/projectId" },
    { $ref: "#/components/parameters/featureName" },
  ],
  requestBody: {
    required: true,
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, patch])),
  },
  responses: {
    200: success(
      "The variants of the first environment in the project's order, after the patch; none if the feature has no environment.",
      "featureVariantsSchema",
      answers,
    ),
    ...refusal("the body, the path or the patch is not valid.", invalid),
    ...unauthenticated,
    ...refusal("the API key lacks a permission, which the message names. Nothing was changed.", {
      "No permission in an environment": new NoAccessError(
        'the API key lacks the permission UPDATE_FEATURE_ENVIRONMENT_VARIANTS in environment "production" of project "default"',
        {
          details: [
            {
              message:
                'the API key lacks the permission UPDATE_FEATURE_ENVIRONMENT_VARIANTS in environment "production" of project "default"',
            },
          ],
        },
      ),
    }),
    ...refusal("there is no such project, or no such feature in it.", {
      "No such feature": new NotFoundError('project "default" has no feature "nothing"'),
    }),
    ...wrongMethod("PATCH"),
    ...refusal(
      "others changed an environment at every try until the time was up, or the patch no longer fits what they left.",
      { "Changed by others": new ConflictError(conflict.message, { details: conflict.details }) },
    ),
    ...tooLarge,
    ...wrongMediaType(mediaTypes, "accept-patch"),
    ...failed,
    ...unavailable,
  },
};
