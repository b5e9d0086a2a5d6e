/** Says what a client does after an error: the commands, the MCP server and the page /patch. */
import type { ErrorCode } from "../../../lib/contract/responses/error-body.ts";

/**
 * - `go on`: the write is stored, and only its response is missing.
 * - `read`: the write may be stored. With its idempotency key the request can be sent again too.
 * - `new key`: to make the change is another request from now on, with another idempotency key.
 * - `retry`: nothing that was asked for is wrong, and another attempt may succeed.
 * - `correct`: an attempt with the same content would fail again.
 */
export type NextStep = "go on" | "read" | "new key" | "retry" | "correct";

/** docs/API.md#after-an-error says it in words. */
const nextSteps: Readonly<Record<ErrorCode, NextStep>> = {
  applied: "go on",
  "outcome-unknown": "read",
  undone: "new key",
  "key-used": "new key",
  "changed-meanwhile": "retry",
  "gave-up": "retry",
  exists: "correct",
  "too-many-moves": "correct",
  "cannot-undo": "correct",
};

/** Returns undefined where the status alone says what to do. */
export function nextStepAfter(code: ErrorCode | undefined): NextStep | undefined {
  return code && nextSteps[code];
}
