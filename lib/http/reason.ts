/** Reads the header `Burgee-Reason`: why a change is made. */
import { ValidationError } from "../contract/errors.ts";
import { reasonIssue } from "../features/stamp.ts";

export function readReason(header: string | undefined): string | undefined {
  if (header === undefined || header === "") return undefined;
  if (!/^[ -~]*$/.test(header)) {
    throw new ValidationError(
      "Burgee-Reason must have visible ASCII characters and spaces only; percent-encode all others",
    );
  }
  const reason = decodePercents(header);
  const issue = reasonIssue(reason);
  if (issue !== undefined) throw new ValidationError(`Burgee-Reason ${issue}`);
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
