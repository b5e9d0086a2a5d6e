/** Says what a client does after an error, for the commands, the MCP server and the page /patch. */
import type { ErrorCode } from "../../../lib/contract/responses/error-body.ts";

/** To retry is to send the same request again, with the same idempotency key. */
type NextStep =
  | "go on"
  | "retry"
  | "read, then send it with the new ETag"
  | "use another idempotency key"
  | "send another request";

/** In the words of docs/API.md#after-an-error, with which a test compares it. */
export const nextSteps: Readonly<Record<ErrorCode, NextStep>> = {
  applied: "go on",
  "outcome-unknown": "retry",
  "gave-up": "retry",
  "changed-meanwhile": "read, then send it with the new ETag",
  undone: "use another idempotency key",
  "key-used": "use another idempotency key",
  exists: "send another request",
  "too-many-moves": "send another request",
  "cannot-undo": "send another request",
};

/** Returns undefined where the status alone says what to do. */
export function nextStepAfter(code: ErrorCode | undefined): NextStep | undefined {
  return code && nextSteps[code];
}
