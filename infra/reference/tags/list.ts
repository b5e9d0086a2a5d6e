/** The list of tags, as the document has it. */
import { success } from "../answers.ts";
import { type Operation, paragraphs } from "../operation.ts";
import { parametersOf } from "../parameters.ts";
import { ofEvery, ofReading } from "../refusals.ts";
import { stored } from "./examples.ts";
import { allow, noSuchFeature } from "./refusals.ts";

export const listTags: Operation = {
  operationId: "listTags",
  tags: ["Features"],
  summary: "List the tags of a feature",
  description: paragraphs(
    "What `location` points to after an update.",
    "Needs any permission at all in the feature's project.",
  ),
  parameters: parametersOf("featureName"),
  responses: {
    200: success("The tags that the feature has.", "tagsSchema", stored),
    ...ofReading,
    ...noSuchFeature,
    ...ofEvery(allow),
  },
};
