/** What the document of an SDK is made from, and what makes it. */
import type * as z from "zod/mini";
import type { Variant } from "../contract/variants.ts";
import { type Omissions, removed } from "./left-out.ts";

export interface Scope {
  environment: string;
  project?: string | undefined;
}

export interface ServedFeature {
  name: string;
  project: string;
  enabled: boolean;
  variants: readonly Variant[];
}

/** `Base` has what Burgee does not store: states, strategies, targeting. */
export interface Format<Base = unknown> {
  title: string;
  schema: z.ZodMiniType<Base>;
  /** Every feature is on, for everyone. */
  create(features: readonly ServedFeature[], scope: Scope, omissions: Omissions): object;
  /** Replaces the variants of these features, and nothing else. */
  into(base: Base, features: readonly ServedFeature[], omissions: Omissions): object;
}

/** Unleash's SDKs use the first variant's stickiness for all; `why` is reported where others differ. */
export function stickinessOf({ name, variants }: ServedFeature, why: string, omissions: Omissions): string {
  const [first = "default", ...others] = new Set(variants.map(({ stickiness }) => stickiness));
  if (others.length > 0) omissions.add("stickiness", why, name);
  return first;
}

/** The users of these variants will get others. */
export function reportGone(gone: readonly string[], { name }: ServedFeature, omissions: Omissions): void {
  if (gone.length > 0) omissions.add("variants", removed, `${name}: ${gone.join(", ")}`);
}
