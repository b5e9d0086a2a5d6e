/** Compares the preconditions of a request with the ETags of what is stored. */
import { PreconditionFailed } from "../../contract/errors.ts";
import { etagOf, matches } from "../etags.ts";
import type { ChangeRequest, Preconditions, TargetEnvironment } from "../model.ts";
import { initialOutcome } from "./outcome.ts";
import { toDetail } from "./report.ts";

interface Current {
  etag: string;
  /** The ETag before the request's own writes, which a retry may send. */
  etagBefore?: string;
  /** What has the ETag, for the messages. For environments not `variants`, because a switch changes their ETag too. */
  what: "feature" | "tags";
}

export function preconditionIssue(
  { ifMatch, ifNoneMatch }: Preconditions,
  { etag, etagBefore = etag, what }: Current,
): string | undefined {
  const isMatch = ifMatch === undefined || matches(ifMatch, etag) || matches(ifMatch, etagBefore);
  if (!isMatch) {
    return `If-Match does not match: the ${what} changed after the ETag was read, or it is weak or that of another path; read it again`;
  }
  const isKnown = ifNoneMatch !== undefined && matches(ifNoneMatch, etag);
  return isKnown ? `If-None-Match matches the current ETag of the ${what}` : undefined;
}

const verbOf = { patch: "patched", strategy: "patched", switch: "switched", undo: "restored" } as const;

/** On a retry, If-Match may have either the ETag before the request's own writes or the current one. */
export function requirePreconditions(
  { target, edit, preconditions }: ChangeRequest,
  environments: readonly TargetEnvironment[],
): void {
  const states = environments.map(({ state }) => state);
  const before = environments.map(({ state, ownChange }) =>
    ownChange ? { ...state, revision: ownChange.revision - 1 } : state,
  );
  const etag = etagOf(target, states);
  const reason = preconditionIssue(preconditions, {
    etag,
    etagBefore: etagOf(target, before),
    what: "feature",
  });
  if (reason === undefined) return;
  if (environments.every(({ ownChange }) => !ownChange)) {
    throw new PreconditionFailed(`${reason}; nothing was written`, { etag });
  }
  const details = environments.map((environment) => toDetail(initialOutcome(environment)));
  const message = `${reason}; an earlier attempt of this request has ${verbOf[edit.kind]} some environments`;
  throw new PreconditionFailed(message, { etag, details });
}
