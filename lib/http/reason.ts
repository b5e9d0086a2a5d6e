/** Reads the header `Burgee-Reason`: why a change is made. */
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";

export function readReason(header: string | undefined): string | undefined {
  if (header === undefined || header === "") return undefined;
  const reason = decodePercents(header);
  if ([...reason].length > limits.reasonLength) {
    throw new ValidationError(`Burgee-Reason must have at most ${limits.reasonLength} characters`);
  }
  // Format characters change how the text around them is shown.
  if (!/^[ -~]*$/.test(header) || /[\p{Cc}\p{Cf}]/u.test(reason)) {
    throw new ValidationError(
      "Burgee-Reason must have visible ASCII characters and spaces, and others percent-encoded, but no control or format characters",
    );
  }
  return reason;
}

/** One character in UTF-8, percent-encoded. */
const encodedCharacter =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;

/** A "%" that begins no valid sequence stands for itself. */
function decodePercents(text: string): string {
  return text.replace(encodedCharacter, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
