/** Compares the preconditions of a change with the ETags of its environments. */
import { PreconditionFailed } from "../../contract/errors.ts";
import { etagOf, preconditionIssue } from "../etags.ts";
import type { ChangeRequest, TargetEnvironment } from "../model.ts";
import { initialOutcome } from "./outcome.ts";
import { toDetail } from "./report.ts";

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
  const issue = preconditionIssue(preconditions, {
    etag,
    etagBefore: etagOf(target, before),
    what: "feature",
  });
  if (issue === undefined) return;
  if (environments.every(({ ownChange }) => !ownChange)) {
    throw new PreconditionFailed(`${issue}; nothing was written`, { etag });
  }
  const details = environments.map((environment) => toDetail(initialOutcome(environment)));
  const message = `${issue}; an earlier attempt of this request has ${verbOf[edit.kind]} some environments`;
  throw new PreconditionFailed(message, { etag, details });
}
