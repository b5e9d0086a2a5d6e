/** A change that is being written, as a request to the server that the page is from: for fetch, and as a curl command. */
import { printableLines, quoted } from "../cli/printable.ts";
import { toApiUrl } from "./exchange.ts";
import { readPatch } from "./patch.ts";

export interface Draft {
  project: string;
  feature: string;
  /** "": every environment. */
  environment: string;
  /** A JSON Patch of all that an environment has; unused by an undo. */
  text: string;
  /** The id of the change to undo, or "". */
  undo: string;
  reason: string;
  /** The alarm that takes the change back, or "". */
  guard: string;
  minutes: string;
  /** The percent of an environment's users that may move, or "". */
  mostMoves: string;
  idempotencyKey: string;
  /** The ETag of the proposal that this is, unchanged; or "". */
  proposed: string;
  /** Whether it was sent, so that it may be stored, if not everywhere. */
  isSent: boolean;
  /** Whether a switch of the board began it. */
  isOfBoard: boolean;
}

/** Not crypto.randomUUID, which a page served over plain HTTP from another machine does not have. */
export function newKey(): string {
  return `page-${crypto.getRandomValues(new Uint32Array(3)).join("")}`;
}

export function newDraft(project: string, feature: string, members: Partial<Draft> = {}): Draft {
  return {
    project,
    feature,
    environment: "",
    text: "[]",
    undo: "",
    reason: "",
    guard: "",
    minutes: "30",
    mostMoves: "",
    idempotencyKey: newKey(),
    proposed: "",
    isSent: false,
    isOfBoard: false,
    ...members,
  };
}

/** For a POSIX shell; the key stays out of it. */
export function toCurl(draft: Draft, etag: string): string {
  const headers = Object.entries(headersOf(draft, etag)).map((header) => `-H ${quoted(header.join(": "))}`);
  const start = [`curl -X ${methodOf(draft)} ${quoted(urlOf(draft))}`, '-H "Authorization: $BURGEE_KEY"'];
  return [...start, ...headers, `-d ${quoted(printableLines(bodyOf(draft)))}`].join(" \\\n  ");
}

/** The operations of its patch, if it is one. */
export function operationsOf({ undo, text }: Draft) {
  return undo ? [] : readPatch(text);
}

export const methodOf = ({ undo }: Draft) => (undo ? "POST" : "PATCH");
export const bodyOf = ({ text, undo }: Draft) => (undo ? "{}" : text);

export function urlOf(
  { project, feature, environment, undo }: Draft,
  query: Record<string, string> = {},
): string {
  const scope = environment === "" ? [] : ["environments", environment];
  const rest = undo ? ["variants", "changes", undo, "undo"] : [];
  return toApiUrl(["projects", project, "features", feature, ...scope, ...rest], query);
}

export function headersOf(draft: Draft, etag: string) {
  const { idempotencyKey, reason, guard, minutes, mostMoves, undo } = draft;
  const encoded = reason.replaceAll(/[^ -$&-~]/gu, encodeURIComponent);
  return {
    "content-type": "application/json",
    "if-match": etag,
    "idempotency-key": idempotencyKey,
    ...(reason && { "burgee-reason": encoded }),
    ...(guard && !undo && { "burgee-guard": `${encodeURIComponent(guard)}; for=${minutes}m` }),
    ...(mostMoves && { "burgee-most-moves": String(Number(mostMoves) / 100) }),
  };
}
