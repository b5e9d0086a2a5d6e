/**
 * Says why a text is no name of a feature or a guard, or returns "". The page asks before it sends the name, because the
 * message of the API names a header or a member of the body. The schema of names has Zod, so a test compares the two.
 */
import { limits } from "../../../lib/contract/limits.ts";
import { urlFriendlyPattern, urlFriendlyRule } from "../../../lib/contract/unleash-rules.ts";

export function nameIssue(name: string): string {
  if (name === "" || [...name].length > limits.urlFriendlyNameLength)
    return `must have 1 to ${limits.urlFriendlyNameLength} characters`;
  return urlFriendlyPattern.test(name) ? "" : urlFriendlyRule;
}
