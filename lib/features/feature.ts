/** A feature's variants as they are stored, with the changes that led to them. */
import type { Variant } from "../contract/variants.ts";
import type { Stamp } from "./stamp.ts";
import type { WayBack } from "./variant-diff.ts";

/** The subject of a request for variants: a feature in all its environments, or in one of them. */
export interface Target {
  project: string;
  feature: string;
  environment?: string | undefined;
}

export interface EnvironmentState {
  environment: string;
  /** Another one when the environment is deleted and created again. */
  uid: string;
  revision: number;
  variants: Variant[];
  /** The changes that it keeps, newest first. */
  changes: readonly Change[];
  /** The latest time of a change that it keeps no longer. */
  droppedUntil?: string | undefined;
}

/** In the project's order. */
export type States = readonly EnvironmentState[];

/** What one request did to the variants of an environment. */
export interface Change extends Omit<Stamp, "request"> {
  /** That it made. */
  revision: number;
  /** The id of the change that it undoes. */
  undoes?: string | undefined;
  /** Only of the newest changes. */
  wayBack?: WayBack | undefined;
}
