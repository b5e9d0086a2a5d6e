/** The tag update, as the document has it. */
import { NoAccessError, ValidationError } from "../../../lib/contract/errors.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { refusal, success } from "../answers.ts";
import { type Operation, paragraphs, requestBody } from "../operation.ts";
import { parametersOf } from "../parameters.ts";
import { ofBody, ofEvery, wrongDryRun } from "../refusals.ts";
import { reference } from "../schemas.ts";
import { changed, rehearsed, requests } from "./examples.ts";
import { allow, noSuchFeature } from "./refusals.ts";

const mediaTypes = ["application/json"];

const invalid = {
  "Not as the schema has it": new ValidationError(
    "the body does not conform: /addedTags/0/value must have 2 to 50 characters (and 1 more)",
    {
      details: [
        { path: "/addedTags/0/value", message: "must have 2 to 50 characters" },
        { path: "/removedTags", message: "is required" },
      ],
    },
  ),
  "Not JSON": new ValidationError("the body is not valid JSON"),
  ...wrongDryRun,
};

export const updateTags: Operation = {
  operationId: "updateTags",
  tags: ["Features"],
  summary: "Add and remove several tags of a feature",
  description: paragraphs(
    "All of `addedTags` are added, then all of `removedTags` are removed. That is one atomic change: it is done whole or not at all, and overlapping updates lose nothing.",
    "The same request may be sent again: twice has the same effect as once. So it takes no idempotency key.",
    "A dry run (`dryRun=true`) is judged as for real, permissions included. It changes nothing, and is answered with 200 and the tags as they would be.",
    `Each list takes ${limits.tagsPerList} tags. All tags of a feature must fit in ${limits.itemBytes / 1024} KB.`,
    "Needs the permission `UPDATE_FEATURE` in the feature's project.",
  ),
  parameters: parametersOf("featureName", "dryRun"),
  requestBody: requestBody(mediaTypes, { schema: reference("updateTagsSchema"), examples: requests }),
  responses: {
    200: success("Of a dry run: the tags that the feature would have.", "tagsSchema", rehearsed),
    201: success("The tags that the feature now has.", "tagsSchema", changed, {
      location: "/api/admin/features/checkout/tags",
    }),
    ...refusal("the body, the path or the query is not valid. Nothing was changed.", invalid),
    ...refusal("the API key lacks the permission in the feature's project.", {
      "No permission": new NoAccessError("the API key lacks the permission UPDATE_FEATURE"),
    }),
    ...noSuchFeature,
    ...ofBody(mediaTypes, "accept"),
    ...ofEvery(allow),
  },
};
