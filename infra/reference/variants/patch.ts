/** What the patches in one environment and in every environment share. */
import { type Answers, type Content, type Examples, success } from "../answers.ts";
import { requestBody } from "../operation.ts";
import { ofBody, ofEvery } from "../refusals.ts";
import { reference } from "../schemas.ts";
import { etag, patched, requests } from "./examples.ts";
import { allow, unmet } from "./refusals.ts";

const mediaTypes = ["application/json", "application/json-patch+json"];
const patch: Content = { schema: reference("patchesSchema"), examples: requests };

export const body = requestBody(mediaTypes, patch);

/** `outcomes` are those of the examples, by name. */
export function done(description: string, previews: Examples, outcomes: Record<string, string>): Answers {
  const schemas = ["featureVariantsSchema", "variantsPreviewSchema"] as const;
  const headers = { etag, "burgee-environments": outcomes };
  return { 200: success(description, schemas, { ...patched, ...previews }, headers) };
}

export const refused: Answers = { ...unmet, ...ofBody(mediaTypes, "accept-patch"), ...ofEvery(allow) };
