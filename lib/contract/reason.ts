/** The rule for the reason of a change. */
import { limits } from "./limits.ts";

/** Says what is wrong with a reason, if anything. Format characters would change how the text around them is shown. */
export function reasonIssue(reason: string): string | undefined {
  if ([...reason].length > limits.reasonLength) return `must have at most ${limits.reasonLength} characters`;
  const hasUnshown = /[\p{Cc}\p{Cf}]/u.test(reason);
  return hasUnshown ? "must have no control or format characters, such as line breaks" : undefined;
}
