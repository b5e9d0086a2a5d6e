/** Entity tags (RFC 9110 section 8.8.3), and what a request may demand of them. */
import type { EnvironmentState } from "./feature.ts";
import { fingerprint } from "./fingerprint.ts";

/** The tags of `if-match`, without their quotes; "*" is any. */
export type Precondition = "*" | readonly string[];

export interface Tagged {
  environment: string;
  tag: string;
}

/** The id of the last write keeps a feature that was removed and made again apart from what it was. */
export function environmentTag({ revision, writes }: Pick<EnvironmentState, "revision" | "writes">): string {
  return fingerprint(revision, writes.at(-1));
}

/** Another as soon as any of the environments is another. */
export function entityTag(environments: readonly Tagged[]): string {
  return fingerprint(environments.map(({ environment, tag }) => [environment, tag]));
}

export function statesTag(states: readonly EnvironmentState[]): string {
  return entityTag(states.map((state) => ({ environment: state.environment, tag: environmentTag(state) })));
}

export function isMet(precondition: Precondition, tag: string): boolean {
  return precondition === "*" || precondition.includes(tag);
}
