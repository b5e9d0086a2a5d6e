/** ETags of variants, and the preconditions of requests for them. */
import { PreconditionFailed } from "../contract/errors.ts";
import { whyUnmet } from "../contract/etags.ts";
import type { ChangeRequest, Found, Target, Version } from "./feature.ts";
import { asFound, toDetail } from "./outcome.ts";
import { fingerprint } from "./stamp.ts";

const pathBytes = 3;
const pathLength = (pathBytes * 4) / 3;

/** Its first characters are the same for every state of the target. */
export function etagOf(target: Target, versions: readonly Version[]): string {
  const state = versions.map(({ environment, uid, revision }) => [environment, uid, revision]);
  return pathOf(target) + fingerprint(state, 9);
}

function pathOf({ project, feature, environment }: Target): string {
  return fingerprint([project, feature, environment], pathBytes);
}

/** On a retry, If-Match may have the ETag before the request's own writes or that after them. */
export function requirePreconditions(
  { target, preconditions }: ChangeRequest,
  found: readonly Found[],
): void {
  const states = found.map(({ state }) => state);
  const before = found.map(({ state, ownChange }) =>
    ownChange ? { ...state, revision: ownChange.revision - 1 } : state,
  );
  const etag = etagOf(target, states);
  const reason = whyUnmet(preconditions, {
    etag,
    etagBefore: etagOf(target, before),
    what: "variants",
    isOfPath: (one) => one.slice(0, pathLength) === pathOf(target),
  });
  if (reason === undefined) return;
  if (found.every(({ ownChange }) => !ownChange)) {
    throw new PreconditionFailed(`${reason}; nothing was written`, { etag });
  }
  const details = found.map((one) => toDetail(asFound(one)));
  const message = `${reason}; an earlier attempt of this request has patched some environments`;
  throw new PreconditionFailed(message, { etag, details });
}
