/** A feature as the domain sees it. */
import type { Variant } from "../contract/variants.ts";

/** The subject of a request for variants: a feature in all its environments, or in one of them. */
export interface Target {
  project: string;
  feature: string;
  environment?: string | undefined;
}

export interface Feature {
  name: string;
  project: string;
  /** In the project's order. */
  environments: readonly EnvironmentState[];
}

export interface EnvironmentState {
  environment: string;
  /** Another one once the feature is moved, or deleted and created again. */
  uid: string | undefined;
  /** The revision that gave a uid to an environment of the first release, which had none. */
  uidSince?: number | undefined;
  /** Of its last write: the old one until a move of the feature reaches the environment. */
  project?: string | undefined;
  revision: number;
  variants: Variant[];
  /** The write that an earlier attempt of this request has made here. */
  earlierWrite?: IdempotencyRecord | undefined;
  /** The newest ticket whose turn is over; 0 before the first. */
  served: number;
  /** The newest ticket that was taken, where the read shows it; else `served`. */
  lastTicket: number;
  /** What the store remembers of earlier writes; the domain hands it back unread. */
  memory: unknown;
}

/** A request that its caller may retry, by fingerprints of the idempotency key and of what was sent with it. */
export interface IdempotentRequest {
  key: string;
  request: string;
}

export interface IdempotencyRecord extends IdempotentRequest {
  /** The revision that the environment had before the write. */
  revision: number;
  /** In seconds since 1970. */
  writtenAt: number;
}

/** Whether a write for this project may follow: the environment was not created again, or moved, since `before` was read. */
export function isStillIn(project: string, before: EnvironmentState, current: EnvironmentState): boolean {
  // During a move, a request of the new project may have written before the environment got its new uid.
  const isOfProject = [undefined, before.project, project].includes(current.project);
  return isOfProject && isSameEnvironment(before, current);
}

/** By its uid alone. */
export function isSameEnvironment(before: EnvironmentState, current: EnvironmentState): boolean {
  return before.uid === uidAt(current, before.revision);
}

/** The uid that the environment had at a revision. */
export function uidAt({ uid, uidSince = 0 }: EnvironmentState, revision: number): string | undefined {
  return revision < uidSince ? undefined : uid;
}
