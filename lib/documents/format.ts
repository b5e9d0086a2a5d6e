/** What the document of an SDK is made from, and what makes it. */
import type * as z from "zod/mini";
import type { Variant } from "../contract/variants.ts";
import { type Omissions, removed } from "./left-out.ts";

export interface Scope {
  environment: string;
  project?: string | undefined;
}

/** A feature with its variants in the environment. */
export interface ServedFeature {
  name: string;
  project: string;
  variants: readonly Variant[];
}

/** `Base` is a document that has what Burgee does not store: which features are on, for whom, strategies, targeting. */
export interface Format<Base = unknown> {
  /** What a base document is, in messages. */
  title: string;
  schema: z.ZodMiniType<Base>;
  /** A document in which every feature is on, for everyone. */
  create(features: readonly ServedFeature[], scope: Scope, omissions: Omissions): object;
  /** The base document with the variants of these features, and otherwise as it is. */
  into(base: Base, features: readonly ServedFeature[], omissions: Omissions): object;
}

/** Unleash's SDKs use the first variant's stickiness for the whole list. `why` is reported where the others differ. */
export function stickinessOf({ name, variants }: ServedFeature, why: string, omissions: Omissions): string {
  const [first = "default", ...others] = new Set(variants.map(({ stickiness }) => stickiness));
  if (others.length > 0) omissions.add("stickiness", why, name);
  return first;
}

/** Reports variants that are removed from the base document, and with them a difference for the users who have them. */
export function reportGone(gone: readonly string[], { name }: ServedFeature, omissions: Omissions): void {
  if (gone.length > 0) omissions.add("variants", removed, `${name}: ${gone.join(", ")}`);
}
