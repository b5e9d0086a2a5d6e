/** Errors that every operation has in common. */
import {
  AuthenticationRequired,
  ContentTypeError,
  InternalError,
  MethodNotAllowed,
  PayloadTooLarge,
  TemporarilyUnavailable,
} from "../../lib/contract/errors.ts";
import { limits } from "../../lib/contract/limits.ts";
import { type Answers, refusal } from "./answers.ts";

const kibibytes = limits.bodyBytes / 1024;

export const unauthenticated = refusal(
  "the API key is missing, unknown, disabled or expired. These are not told apart.",
  {
    "No valid key": new AuthenticationRequired("a valid API key is required in the Authorization header", {
      headers: { "www-authenticate": 'Bearer realm="burgee"' },
    }),
  },
);

export const tooLarge = refusal(`the body is larger than ${kibibytes} KiB.`, {
  "Too large": new PayloadTooLarge(`the body is larger than ${kibibytes} KiB`),
});

export const failed = refusal("a fault of the service. The log has all of it under the `id`.", {
  "Internal error": new InternalError("something failed"),
});

export const unavailable = refusal(
  "the database was throttled or out of reach for as long as the invocation had time.",
  { "Database out of reach": new TemporarilyUnavailable("the database did not answer in time") },
);

export function wrongMethod(allow: string): Answers {
  return refusal(`the answer to any method but ${allow} at this path.`, {
    "Wrong method": new MethodNotAllowed(`GET is not a method of this path: ${allow}`, {
      headers: { allow },
    }),
  });
}

export function wrongMediaType(mediaTypes: readonly string[], header: "accept" | "accept-patch"): Answers {
  return refusal(`the content type is missing, or another than ${mediaTypes.join(" or ")}.`, {
    "Wrong content type": new ContentTypeError(`the content-type must be ${mediaTypes.join(" or ")}`, {
      headers: { [header]: mediaTypes.join(", ") },
    }),
  });
}
