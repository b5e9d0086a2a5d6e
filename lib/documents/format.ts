/** What the formats of documents share: their input and their type, and how SDKs treat strategies and stickiness. */
import type { EnvironmentContent } from "../features/model.ts";
import type { Omissions } from "./omissions.ts";

export interface Scope {
  environment: string;
  project?: string | undefined;
}

export interface ServedFeature extends Readonly<EnvironmentContent> {
  name: string;
  project: string;
}

/** Makes a document from what is stored, and from nothing else. */
export type Format = (features: readonly ServedFeature[], scope: Scope, omissions: Omissions) => object;

/** SDKs get the strategies that are not disabled. */
export function activeStrategies({ strategies }: Pick<EnvironmentContent, "strategies">) {
  return strategies.filter(({ disabled }) => !disabled);
}

/** A feature whose strategies are all disabled is on for no user. */
export function isOn({ enabled, strategies }: Pick<EnvironmentContent, "enabled" | "strategies">): boolean {
  return enabled && (strategies.length === 0 || activeStrategies({ strategies }).length > 0);
}

/**
 * Returns the stickiness of the first variant, which SDKs of Unleash use for all. Adds an omission if another variant has a
 * different one.
 */
export function stickinessOf(
  name: string,
  variants: readonly { stickiness: string }[],
  why: string,
  omissions: Omissions,
): string {
  const [first = "default", ...others] = new Set(variants.map(({ stickiness }) => stickiness));
  if (others.length > 0) omissions.add("stickiness", why, name);
  return first;
}
