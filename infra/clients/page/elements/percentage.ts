/** Reads the percentages that users type. */

/** Reads "25", "25 %" and "12,5"; NaN for anything else. */
export function readPercent(text: string): number {
  const digits = text.replace("%", "").replace(",", ".").trim();
  return /^[\d.]+$/.test(digits) ? Number(digits) : Number.NaN;
}

/** Says why a text is not a percentage, or returns "". SDKs compare a rollout as a whole number. */
export function percentIssue(text: string, isWhole = false): string {
  const percent = readPercent(text);
  const isValid = percent <= 100 && (!isWhole || Number.isInteger(percent));
  return isValid ? "" : `It must be a ${isWhole ? "whole number" : "number"} from 0 to 100.`;
}
