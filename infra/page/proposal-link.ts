/**
 * Makes the link of a proposal: a patch or a switch for a person, who previews and applies it on the page with a key of their own. All
 * of it is in the fragment, which no server sees. It has neither a key nor the address of an API.
 */
import type { VariantForm } from "../../lib/contract/variants.ts";

export interface Proposal {
  project: string;
  feature: string;
  /** Absent or empty for all environments. */
  environment?: string | undefined;
  /** The form of the variants that the patch is of. Absent: it is of all that an environment has. */
  by?: VariantForm | undefined;
  /** As JSON. */
  patch: string;
  /** Of the previewed state. In the link it has no quotes. */
  etag: string;
  reason?: string | undefined;
}

export interface SwitchProposal extends Omit<Proposal, "by" | "patch"> {
  /** What the feature is to be. */
  switch: "on" | "off";
}

/** In characters, the page's address included. */
export const longestLink = 8000;

/** Returns undefined where the link would be too long. */
export function linkTo(page: string, proposal: Proposal | SwitchProposal) {
  const { project, feature, environment = "", etag, reason = "" } = proposal;
  const edit =
    "switch" in proposal
      ? { switch: proposal.switch }
      : { ...(proposal.by && { by: proposal.by }), patch: proposal.patch };
  const values = { project, feature, environment, ...edit, etag: etag.replaceAll('"', ""), reason };
  const given = Object.entries(values).filter(([, value]) => value !== "");
  const link = `${page}#${new URLSearchParams(given)}`;
  return link.length > longestLink ? undefined : link;
}
