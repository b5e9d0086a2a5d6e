/** What the document of an SDK is made from, and what makes it. */
import type * as z from "zod/mini";
import type { Variant } from "../contract/variants.ts";
import { foreign, type Omissions, removed } from "./left-out.ts";

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

/**
 * A base document is what variants are merged into: it has what Burgee does not store, such as strategies and targeting.
 * The stored document is the base that an operator has stored for an environment; `--into` takes another one.
 */
export interface Format<Base = unknown> {
  title: string;
  schema: z.ZodMiniType<Base>;
  /** A feature that is on is on for everyone. */
  create(features: readonly ServedFeature[], scope: Scope, omissions: Omissions): object;
  /** Replaces the variants of these features, and whether they are on, and nothing else. */
  into(base: Base, features: readonly ServedFeature[], omissions: Omissions): object;
  /** The features of a document, by name. */
  featuresOf(document: Base): ReadonlyMap<string, object>;
  /** The environment and the projects that a document names as its own. */
  madeFor(document: Base): { environment?: string | undefined; projects?: readonly string[] | undefined };
  /** Why no SDK sees the variants of Burgee, whatever they are, by the name of the feature. */
  hidden(base: Base): ReadonlyMap<string, string>;
}

/** Unleash's SDKs use the first variant's stickiness for all; `why` is reported where others differ. */
export function stickinessOf({ name, variants }: ServedFeature, why: string, omissions: Omissions): string {
  const [first = "default", ...others] = new Set(variants.map(({ stickiness }) => stickiness));
  if (others.length > 0) omissions.add("stickiness", why, name);
  return first;
}

/** Reports features of the document that Burgee does not have here: they are served as they are. */
export function reportForeign(
  names: Iterable<string>,
  features: readonly ServedFeature[],
  omissions: Omissions,
): void {
  const known = new Set(features.map(({ name }) => name));
  for (const name of names) if (!known.has(name)) omissions.add("features", foreign, name);
}

/** Reports where the document differs from Burgee's switch, which counts. */
export function reportSwitch(isOn: boolean, { name, enabled }: ServedFeature, omissions: Omissions): void {
  const why = `it is ${enabled ? "on" : "off"} in Burgee, which counts`;
  if (isOn !== enabled) omissions.add("enabled", why, name);
}

/** Reports variants that go: their users will get others. */
export function reportGone(gone: readonly string[], { name }: ServedFeature, omissions: Omissions): void {
  if (gone.length > 0) omissions.add("variants", removed, `${name}: ${gone.join(", ")}`);
}
