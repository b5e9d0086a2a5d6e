/** The tag update, as the document has it. */
import { NoAccessError, NotFoundError, ValidationError } from "../../lib/contract/errors.ts";
import { limits } from "../../lib/contract/limits.ts";
import type { Tags, UpdateTags } from "../../lib/contract/tags.ts";
import { type Examples, refusal, success } from "./answers.ts";
import { failed, tooLarge, unauthenticated, unavailable, wrongMediaType, wrongMethod } from "./refusals.ts";
import { reference } from "./schemas.ts";

const requests: Examples<UpdateTags> = {
  change: {
    summary: "Add one tag and remove another",
    value: {
      addedTags: [{ type: "simple", value: "team-b" }],
      removedTags: [{ type: "simple", value: "team-a" }],
    },
  },
  list: { summary: "Change nothing: list the tags", value: { addedTags: [], removedTags: [] } },
};

const answers: Examples<Tags> = {
  change: {
    summary: "One tag added, another removed",
    value: { version: 1, tags: [{ type: "simple", value: "team-b" }] },
  },
  list: {
    summary: "The tags as they were",
    value: { version: 1, tags: [{ type: "simple", value: "team-a" }] },
  },
};

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
};

export const updateTags = {
  operationId: "updateTags",
  tags: ["Features"],
  summary: "Add and remove several tags of a feature",
  description: [
    "All of `addedTags` are added, then all of `removedTags` are removed. That is one atomic change: it is done whole or not at all, and overlapping updates lose nothing. The same request may be sent again.",
    `Each list takes ${limits.tagsPerList} tags. All tags of a feature must fit in ${limits.itemBytes / 1024} KB.`,
    "Needs the permission `UPDATE_FEATURE` in the feature's project.",
  ].join("\n\n"),
  parameters: [{ $ref: "#/components/parameters/featureName" }],
  requestBody: {
    required: true,
    content: { "application/json": { schema: reference("updateTagsSchema"), examples: requests } },
  },
  responses: {
    201: success("The tags that the feature now has.", "tagsSchema", answers, {
      location: "/api/admin/features/checkout/tags",
    }),
    ...refusal("the body or the path is not valid. Nothing was changed.", invalid),
    ...unauthenticated,
    ...refusal("the API key lacks the permission in the feature's project.", {
      "No permission": new NoAccessError("the API key lacks the permission UPDATE_FEATURE"),
    }),
    ...refusal("there is no such feature.", {
      "No such feature": new NotFoundError('feature "nothing" does not exist'),
    }),
    ...wrongMethod("PUT"),
    ...tooLarge,
    ...wrongMediaType(["application/json"], "accept"),
    ...failed,
    ...unavailable,
  },
};
