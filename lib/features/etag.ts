/** ETags (RFC 9110 section 8.8.3) of variants, and how a precondition compares with them. */
import { PreconditionFailed } from "../contract/errors.ts";
import type { Found, Target, Version } from "./feature.ts";
import { asFound, toDetail } from "./outcome.ts";
import { fingerprint } from "./stamp.ts";

/** The entity tags of `If-Match`, without their quotes; "*" matches any. */
export type Precondition = "*" | readonly string[];

const pathBytes = 3;
const pathLength = (pathBytes * 4) / 3;

/** Changes as soon as any of the environments does. Its first characters are the same for every state of the target. */
export function etagOf(target: Target, versions: readonly Version[]): string {
  const state = versions.map(({ environment, uid, revision }) => [environment, uid, revision]);
  return pathOf(target) + fingerprint(state, 9);
}

export function isOfTarget(etag: string, target: Target): boolean {
  return etag.slice(0, pathLength) === pathOf(target);
}

function pathOf({ project, feature, environment }: Target): string {
  return fingerprint([project, feature, environment], pathBytes);
}

/** Why no ETag matches. Weak ones were left out: each may be one of this path. */
export function whyUnmet(
  precondition: Precondition,
  what: "variants" | "tags",
  isOfPath: (etag: string) => boolean,
): string {
  const isForeign = precondition !== "*" && precondition.length > 0 && !precondition.some(isOfPath);
  return isForeign
    ? "No ETag of If-Match is one of this path: use that of a GET at this path, or of a dry run of this request"
    : `The ${what} have changed since the ETag of If-Match was read`;
}

export function matches(precondition: Precondition, etag: string): boolean {
  return precondition === "*" || precondition.includes(etag);
}

/** On a retry, If-Match may have the ETag of the state before the request's own writes, or that of the state after them. */
export function requireMatch(
  { target, precondition }: { target: Target; precondition?: Precondition | undefined },
  found: readonly Found[],
): void {
  if (precondition === undefined) return;
  const etag = etagOf(
    target,
    found.map(({ state }) => state),
  );
  const before = found.map(({ state, attempt }) => ({
    ...state,
    revision: attempt ? attempt.revision - 1 : state.revision,
  }));
  if (matches(precondition, etag) || matches(precondition, etagOf(target, before))) return;
  const reason = whyUnmet(precondition, "variants", (one) => isOfTarget(one, target));
  if (found.every(({ attempt }) => !attempt)) {
    throw new PreconditionFailed(`${reason}; nothing was written`, { etag });
  }
  const details = found.map((one) => toDetail(asFound(one)));
  const message = `${reason}; an earlier attempt of this request has patched some environments`;
  throw new PreconditionFailed(message, { etag, details });
}
