/** Defines the draft of a change, and makes its request: for fetch, and as a curl command. */
import { printableLines, quotedForShell } from "../../../cli/printable.ts";
import { type BurgeeOptions, burgeeHeaders, guardMinutes, shareOfPercentage } from "../../api/headers.ts";
import { namesInPath } from "../../api/path.ts";
import { toApiUrl } from "../requests/exchange.ts";
import { readOperation, readPatch } from "./patch.ts";

export interface Draft {
  project: string;
  feature: string;
  /** "" for every environment. */
  environment: string;
  /** A JSON Patch of the environment, as the user has typed it; unused by an undo. */
  text: string;
  /** The id of the change to undo, or "". */
  undo: string;
  reason: string;
  /** The name of the guard, or "". */
  guard: string;
  /** How long the guard lasts. */
  minutes: string;
  /** The largest percentage of an environment's users that may move, or "". */
  mostMoves: string;
  idempotencyKey: string;
  /** The ETag of the state for which a link proposes the draft; "" if no link does, and once the draft is edited. */
  proposedEtag: string;
  /** The ETag of the read of the environment from which a form made operations of the draft, or "". */
  readEtag: string;
  /** Whether the draft was sent: some environments may have it. */
  isSent: boolean;
  /** Whether a switch on the board began the draft. */
  isOfBoard: boolean;
}

/** Makes a random id. A page that another machine serves over plain HTTP has no crypto.randomUUID. */
export function newPageId(): string {
  return `page-${crypto.getRandomValues(new Uint32Array(3)).join("")}`;
}

export type DraftOptionValues = Pick<Draft, "guard" | "minutes" | "mostMoves">;

export const defaultOptions: DraftOptionValues = {
  guard: "",
  minutes: String(guardMinutes.usual),
  mostMoves: "",
};

export function newDraft(project: string, feature: string, members: Partial<Draft> = {}): Draft {
  return {
    project,
    feature,
    environment: "",
    text: "[]",
    undo: "",
    reason: "",
    ...defaultOptions,
    idempotencyKey: newPageId(),
    proposedEtag: "",
    readEtag: "",
    isSent: false,
    isOfBoard: false,
    ...members,
  };
}

/** Returns the draft with the options of an earlier one, as far as they suit it. */
export function withOptions(draft: Draft, { guard, minutes, mostMoves }: DraftOptionValues): Draft {
  const switchesOff = operationsOf(draft)
    .map(readOperation)
    .some(({ path, value }) => path === "/enabled" && value === false);
  return {
    ...draft,
    // A trip of the guard would switch a broken feature on again.
    guard: switchesOff ? "" : guard,
    minutes,
    // A switch moves every user of the feature.
    mostMoves: switchOf(draft) ? "" : mostMoves,
  };
}

/** Returns the same change as a new request, which applies to what is stored by now. */
export function withNewIdempotencyKey(draft: Draft): Draft {
  return { ...draft, idempotencyKey: newPageId(), isSent: false, readEtag: "" };
}

/** Whether the draft is the proposal of a link, unedited. */
export function isProposal({ proposedEtag }: Draft): boolean {
  return Boolean(proposedEtag);
}

/** Returns the ETag of the only state that the draft may change: what a form has read, otherwise what was previewed. */
export function etagRequiredBy({ readEtag }: Draft, previewed: string): string {
  return readEtag || previewed;
}

/** Returns a command for a POSIX shell, without the API key. */
export function toCurl(draft: Draft, etag: string): string {
  const headers = Object.entries(headersOf(draft, etag)).map(
    (header) => `-H ${quotedForShell(header.join(": "))}`,
  );
  const start = [
    `curl -X ${methodOf(draft)} ${quotedForShell(toApiUrl({ names: pathNamesOf(draft) }))}`,
    '-H "Authorization: $BURGEE_KEY"',
  ];
  return [...start, ...headers, `-d ${quotedForShell(printableLines(bodyOf(draft)))}`].join(" \\\n  ");
}

export function isInScope(draft: Draft, environment: string): boolean {
  return ["", environment].includes(draft.environment);
}

/** Returns no operations for an undo. */
export function operationsOf({ undo, text }: Draft) {
  return undo ? [] : readPatch(text);
}

/** Returns "on" or "off" for a patch that only switches, otherwise "". */
export function switchOf(draft: Draft): "on" | "off" | "" {
  const [first, ...others] = operationsOf(draft);
  const { op, path, value } = readOperation(first);
  const isSwitch =
    op === "replace" && path === "/enabled" && typeof value === "boolean" && others.length === 0;
  return isSwitch ? (value ? "on" : "off") : "";
}

export const methodOf = ({ undo }: Draft) => (undo ? "POST" : "PATCH");
export const bodyOf = ({ text, undo }: Draft) => (undo ? "{}" : text);

/** Returns the names in the path of the request. */
export function pathNamesOf({ project, feature, environment, undo }: Draft): string[] {
  const below = undo ? ["variants", "changes", undo, "undo"] : [];
  return namesInPath({ project, feature, environment: environment || undefined }, ...below);
}

export function headersOf(draft: Draft, etag: string) {
  const { idempotencyKey, reason, guard, minutes, mostMoves, undo } = draft;
  return {
    "content-type": "application/json",
    "if-match": etag,
    "idempotency-key": idempotencyKey,
    ...burgeeHeaders({
      reason: reason || undefined,
      mostMoves: mostMoves ? shareOfPercentage(mostMoves) : undefined,
      guard: undo ? undefined : guard || undefined,
      for: `${minutes}m`,
    } satisfies BurgeeOptions),
  };
}
