/** What both operations on tags refuse. */
import { NotFoundError } from "../../../lib/contract/errors.ts";
import { refusal } from "../answers.ts";

export const allow = "GET, PUT";

export const noSuchFeature = refusal("there is no such feature.", {
  "No such feature": new NotFoundError('feature "nothing" does not exist'),
});
