/** What the formats of documents share: their input and their type, and what they report of stickiness. */
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

/** Reports variants that differ in their stickiness: SDKs of Unleash use that of the first variant for all. */
export function reportMixedStickiness(
  name: string,
  variants: readonly { stickiness: string }[],
  why: string,
  omissions: DocumentOmissions,
): void {
  const isMixed = new Set(variants.map(({ stickiness }) => stickiness)).size > 1;
  if (isMixed) omissions.add({ what: "stickiness", why, which: name });
}
