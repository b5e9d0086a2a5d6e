/** What became of each environment: for the log, and in one line for the caller. */
import type { Detail } from "../contract/error-body.ts";
import { limits } from "../contract/limits.ts";

/** Of an answer's environments, or of an error's details. */
export function outcomes(list: readonly Detail[] = []): Readonly<Record<string, string>> | undefined {
  const known = list.filter(({ outcome }) => outcome !== undefined);
  if (known.length === 0) return undefined;
  return Object.fromEntries(known.map(({ environment, outcome }) => [environment, outcome]));
}

/** Names are percent-encoded: they may have any characters, a header may not. */
export function outcomesHeader(list: readonly Detail[] = []): Readonly<Record<string, string>> {
  const pairs = list.map(({ environment = "", outcome }) => `${encodeURIComponent(environment)}=${outcome}`);
  const line = pairs.join(", ");
  return line === "" || line.length > limits.outcomesLength ? {} : { "burgee-environments": line };
}
