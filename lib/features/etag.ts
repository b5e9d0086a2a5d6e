/** ETags (RFC 9110 section 8.8.3) of variants, and how a precondition compares with them. */
import type { EnvironmentState, Target } from "./feature.ts";
import { fingerprint } from "./stamp.ts";

/** The entity tags of `If-Match`, without their quotes; "*" matches any. */
export type Precondition = "*" | readonly string[];

/** What identifies one state of an environment. */
export type Version = Pick<EnvironmentState, "environment" | "uid" | "revision">;

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

export function matches(precondition: Precondition, etag: string): boolean {
  return precondition === "*" || precondition.includes(etag);
}
