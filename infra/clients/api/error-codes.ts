/** Says what each code of an error means for a client: for the commands, the MCP server and the page /patch. */
import type { ErrorBody, ErrorCode } from "../../../lib/contract/responses/error-body.ts";

/** What became of the write that the error is about. */
type WriteOutcome = "stored" | "undone since" | "perhaps stored" | "not stored";

/** What a client can do next, in the words of docs/API.md#after-an-error. A retry has the same idempotency key. */
type NextStep =
  | "go on"
  | "retry"
  | "send it with the new ETag"
  | "use another idempotency key"
  | "send another request";

interface CodeFacts {
  /**
   * What became of the write in the environment that failed, by this attempt. A change without an environment in its path may have
   * written others before, which its `details` list.
   */
  write: WriteOutcome;
  nextStep: NextStep;
}

export const factsOfCodes: Readonly<Record<ErrorCode, CodeFacts>> = {
  applied: { write: "stored", nextStep: "go on" },
  "outcome-unknown": { write: "perhaps stored", nextStep: "retry" },
  "gave-up": { write: "not stored", nextStep: "retry" },
  "changed-meanwhile": { write: "not stored", nextStep: "send it with the new ETag" },
  undone: { write: "undone since", nextStep: "use another idempotency key" },
  "key-used": { write: "not stored", nextStep: "use another idempotency key" },
  exists: { write: "not stored", nextStep: "send another request" },
  "too-many-moves": { write: "not stored", nextStep: "send another request" },
  "cannot-undo": { write: "not stored", nextStep: "send another request" },
};

/** Whether the write is stored, and only its response is missing. */
export const isApplied = (code: ErrorCode | undefined) => writeOf(code) === "stored";

/** Whether the code says that the write may be stored. */
export const isOutcomeUnknown = (code: ErrorCode | undefined) => writeOf(code) === "perhaps stored";

/**
 * Whether it is unknown, after this error, if a write was stored:
 *
 *   of Burgee      an error with an `id`: as its codes say, or a 500, which may come after the write
 *   of a gateway   a 5xx, as the request may have reached Burgee
 */
export function isWriteUnknown(status: number, { id, code, details = [] }: Partial<ErrorBody>): boolean {
  const isOfGateway = id === undefined;
  if (status === 500 || (status > 500 && isOfGateway)) return true;
  return [code, ...details.map((detail) => detail.code)].some(isOutcomeUnknown);
}

/** Whether the write was stored, and another change has undone it. */
export const isUndone = (code: ErrorCode | undefined) => writeOf(code) === "undone since";

/** Whether making the change again takes another idempotency key. */
export const needsNewIdempotencyKey = (code: ErrorCode | undefined) =>
  nextStepAfter(code) === "use another idempotency key";

/** Whether the same command may succeed if it is run again, as it then reads what is stored by then. */
export function isWorthRunningAgain(code: ErrorCode | undefined): boolean {
  const nextStep = nextStepAfter(code);
  return nextStep === "retry" || nextStep === "send it with the new ETag";
}

function writeOf(code: ErrorCode | undefined): WriteOutcome | undefined {
  return code && factsOfCodes[code]?.write;
}

function nextStepAfter(code: ErrorCode | undefined): NextStep | undefined {
  return code && factsOfCodes[code]?.nextStep;
}
