/** The two reads of variants, as the document has them. */
import type { NotFoundError } from "../../../lib/contract/errors.ts";
import { type Answers, bodiless, refusal, success } from "../answers.ts";
import { type Operation, paragraphs } from "../operation.ts";
import { parametersOf } from "../parameters.ts";
import { ofEvery, ofReading } from "../refusals.ts";
import { etag, stored } from "./examples.ts";
import { allow, noSuchEnvironment, noSuchFeature } from "./refusals.ts";

const permission = "Needs any permission at all in the project.";

export const getFeatureVariants: Operation = {
  operationId: "getFeatureVariants",
  tags: ["Features"],
  summary: "Get the variants of a feature in its first environment",
  description: paragraphs(
    "The first in the project's order, as the patch at this path answers. The `etag` covers every environment's revision: it is another as soon as one of them is.",
    "To see all environments, send an empty patch as a dry run.",
    permission,
  ),
  parameters: parametersOf("projectId", "featureName", "ifNoneMatch"),
  responses: answers(
    "The variants of the first environment; none if the feature has no environment.",
    "there is no such project, or no such feature in it.",
    noSuchFeature,
  ),
};

export const getEnvironmentFeatureVariants: Operation = {
  operationId: "getEnvironmentFeatureVariants",
  tags: ["Features"],
  summary: "Get the variants of a feature in one environment",
  description: paragraphs("The `etag` is that of this environment alone.", permission),
  parameters: parametersOf("projectId", "featureName", "environment", "ifNoneMatch"),
  responses: answers(
    "The variants of the environment.",
    "there is no such project, no such feature in it, or the feature has no such environment.",
    { ...noSuchFeature, ...noSuchEnvironment },
  ),
};

function answers(found: string, missing: string, errors: Record<string, NotFoundError>): Answers {
  return {
    200: success(found, "featureVariantsSchema", stored, { etag }),
    304: bodiless("The current `etag` is among those of `if-none-match`.", { etag }),
    ...ofReading,
    ...refusal(missing, errors),
    ...ofEvery(allow),
  };
}
