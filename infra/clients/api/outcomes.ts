/** Says what the outcome in an environment means for a client: for the commands and the page /patch. */
import type { OutcomeName } from "../../../lib/contract/responses/error-body.ts";

const isStoredAfter: Readonly<Record<OutcomeName, boolean>> = {
  patched: true,
  "already patched": true,
  "would patch": false,
  unchanged: false,
  failed: false,
  "not attempted": false,
};

/** Whether the environment has the change, by this attempt or an earlier one. */
export function isChangeStored(outcome: string): boolean {
  return new Map<string, boolean>(Object.entries(isStoredAfter)).get(outcome) ?? false;
}
