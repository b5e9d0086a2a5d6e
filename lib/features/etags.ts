/**
 * Makes the ETags of features, environments, tags and bodies, and compares preconditions with them.
 * lib/http/option-values.ts parses the headers.
 */
import { PreconditionFailed } from "../contract/errors.ts";
import type { Etags, Preconditions, Revision, TagState, Target } from "./model.ts";
import { fingerprint, hashText } from "./stamp.ts";

const etagBytes = 12;

export function etagOfEnvironments(
  { project, feature, environment }: Target,
  states: readonly (Revision & { environment: string })[],
): string {
  const revisions = states.map(({ environment, uid, revision }) => [environment, uid, revision]);
  return fingerprint([project, feature, environment, revisions], etagBytes);
}

export function etagOfTags({ uid, revision }: Pick<TagState, "uid" | "revision">): string {
  return fingerprint([uid, revision], etagBytes);
}

/** Joins the ETag of the environments and that of the tags, so that a precondition of either may have it. */
export function etagOfFeature(
  { project, feature }: Target,
  { tagState, states }: { tagState: Revision; states: readonly (Revision & { environment: string })[] },
): string {
  return joinEtags(etagOfEnvironments({ project, feature }, states), etagOfTags(tagState));
}

/** The joined ETag matches each of the two (`etagMatches`). */
export function joinEtags(etag: string, other: string): string {
  return `${etag}.${other}`;
}

/** The ETag of a body that is made from many items: a list, a document. */
export function etagOfText(text: string): string {
  return hashText(text, etagBytes);
}

/** Whether If-Match lists ETags. `*` lists none: it holds for every state. */
export function listsEtags({ ifMatch }: Preconditions): boolean {
  return ifMatch !== undefined && ifMatch !== "*";
}

interface CurrentEtag {
  etag: string;
  /** The ETag before the request's own writes, which a retry may send. */
  etagBefore?: string;
  /** What has the ETag, for the messages. */
  what: "feature" | "tags";
}

export function preconditionIssue(
  { ifMatch, ifNoneMatch }: Preconditions,
  { etag, etagBefore = etag, what }: CurrentEtag,
): string | undefined {
  const isMatch = ifMatch === undefined || etagMatches(ifMatch, etag) || etagMatches(ifMatch, etagBefore);
  if (!isMatch) {
    return `If-Match does not match: the ${what} changed after the ETag was read, or it is weak or that of another path; read it again`;
  }
  const isKnown = ifNoneMatch !== undefined && etagMatches(ifNoneMatch, etag);
  return isKnown ? `If-None-Match matches the current ETag of the ${what}` : undefined;
}

/** Throws if a precondition does not hold. Nothing may be written before. */
export function requirePreconditions(preconditions: Preconditions, current: CurrentEtag): void {
  const issue = preconditionIssue(preconditions, current);
  if (issue !== undefined) throw preconditionFailed(issue, current.etag);
}

export function preconditionFailed(issue: string, etag: string): PreconditionFailed {
  return new PreconditionFailed(`${issue}; nothing was written`, { etag });
}

/**
 * Whether one of the `etags` that a client sent matches the ETag of what it names. The joined "a.b" matches "a.b", "a"
 * and "b"; neither "a" nor "b" matches "a.b".
 */
export function etagMatches(etags: Etags, etag: string): boolean {
  return etags === "*" || etags.some((sent) => sent === etag || sent.split(".").includes(etag));
}
