/** What the formats of documents share: their input and their type, and the stickiness that SDKs use. */
import type { EnvironmentContent } from "../features/model.ts";
import type { DocumentOmissions } from "./omissions.ts";

export interface DocumentScope {
  environment: string;
  project?: string | undefined;
}

export interface ServedFeature extends Readonly<EnvironmentContent> {
  name: string;
  project: string;
}

/** Makes a document from what is stored, and from nothing else. */
export type Format = (
  features: readonly ServedFeature[],
  scope: DocumentScope,
  omissions: DocumentOmissions,
) => object;

/**
 * Returns the stickiness of the first variant, which SDKs of Unleash use for all. Adds an omission if another variant
 * has a different one.
 */
export function stickinessOf(
  name: string,
  variants: readonly { stickiness: string }[],
  why: string,
  omissions: DocumentOmissions,
): string {
  const [first = "default", ...others] = new Set(variants.map(({ stickiness }) => stickiness));
  if (others.length > 0) omissions.add({ what: "stickiness", why, which: name });
  return first;
}
