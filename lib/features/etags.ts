/** The ETags of a feature, its environments and its tags. */
import type { Etags, StateRevision, Target } from "./model.ts";
import { fingerprint } from "./stamp.ts";
import type { FeatureState, TagState } from "./stores.ts";

const etagBytes = 12;

export function etagOf(
  { project, feature, environment }: Target,
  versions: readonly StateRevision[],
): string {
  const state = versions.map(({ environment, uid, revision }) => [environment, uid, revision]);
  return fingerprint([project, feature, environment, state], etagBytes);
}

export function tagsEtagOf({ uid, revision }: Pick<TagState, "uid" | "revision">): string {
  return fingerprint([uid, revision], etagBytes);
}

/** Changes with the tags of the feature, too. */
export function etagOfFeature({ project, feature }: Target, { tags, environments }: FeatureState): string {
  return fingerprint([tags.uid, tags.revision, etagOf({ project, feature }, environments)], etagBytes);
}

export function matches(etags: Etags, current: string): boolean {
  return etags === "*" || etags.includes(current);
}
