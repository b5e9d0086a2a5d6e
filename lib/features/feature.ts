/** A feature as the domain sees it. */
import type { Variant } from "../contract/variants.ts";

/** What a request for variants is about: a feature in all its environments, or in one of them. */
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
  variants: Variant[];
  revision: number;
  /** The ids of the last writes, newest last. */
  writes: readonly string[];
  /** The last writes that came with an idempotency key, newest last. */
  keyed: readonly KeyedWrite[];
}

/** Fingerprints of a caller's idempotency key, and of what was sent along with it. */
export interface RequestKey {
  key: string;
  body: string;
}

export interface KeyedWrite extends RequestKey {
  /** The entity tag that the environment had before this write. */
  before: string;
}
