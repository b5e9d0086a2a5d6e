/** Errors that operations have in common. */
import {
  AuthenticationRequired,
  ContentTypeError,
  InternalError,
  MethodNotAllowed,
  NoAccessError,
  PayloadTooLarge,
  TemporarilyUnavailable,
  ValidationError,
} from "../../lib/contract/errors.ts";
import { limits } from "../../lib/contract/limits.ts";
import { type Answers, refusal } from "./answers.ts";

const kibibytes = limits.bodyBytes / 1024;

/** Of every operation of a path that has these methods. */
export function ofEvery(allow: string): Answers {
  return {
    ...refusal("the API key is missing, unknown, disabled or expired. These are not told apart.", {
      "No valid key": new AuthenticationRequired("a valid API key is required in the Authorization header", {
        headers: { "www-authenticate": 'Bearer realm="burgee"' },
      }),
    }),
    ...refusal(`the answer to any method but ${allow.replace(", ", " and ")} at this path.`, {
      "Wrong method": new MethodNotAllowed(`DELETE is not a method of this path: ${allow}`, {
        headers: { allow },
      }),
    }),
    ...refusal("a fault of the service. The log has all of it under the `id`.", {
      "Internal error": new InternalError("something failed"),
    }),
    ...refusal("the database was throttled or out of reach for as long as the invocation had time.", {
      "Database out of reach": new TemporarilyUnavailable("the database did not answer in time"),
    }),
  };
}

/** Of every operation that only reads. */
export const ofReading: Answers = {
  ...refusal("the path is not valid.", {
    "Malformed path": new ValidationError('the path has a malformed percent-encoding in "100%"'),
  }),
  ...refusal("the API key has no permission at all in the project.", {
    "No permission": new NoAccessError('the API key has no permission in project "default"'),
  }),
};

/** Of every operation that takes a body of one of these types. */
export function ofBody(mediaTypes: readonly string[], header: "accept" | "accept-patch"): Answers {
  return {
    ...refusal(`the body is larger than ${kibibytes} KiB.`, {
      "Too large": new PayloadTooLarge(`the body is larger than ${kibibytes} KiB`),
    }),
    ...refusal(`the content type is missing, or another than ${mediaTypes.join(" or ")}.`, {
      "Wrong content type": new ContentTypeError(`the content-type must be ${mediaTypes.join(" or ")}`, {
        headers: { [header]: mediaTypes.join(", ") },
      }),
    }),
  };
}

export const wrongDryRun = { "Neither true nor false": new ValidationError("dryRun must be true or false") };
