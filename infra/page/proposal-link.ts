/**
 * Makes the link of a proposal: a patch or a switch for a person, who previews and applies it on the page with another
 * key. All of it is in the fragment, which no server sees. It has neither a key nor the address of an API.
 */

interface ProposedPlace {
  project: string;
  feature: string;
  /** Absent or empty for all environments. */
  environment?: string | undefined;
  /** Of the previewed state. In the link it has no quotes. */
  etag: string;
  reason?: string | undefined;
  /** The alarm that takes the change back, and for how long. */
  guard?: string | undefined;
  minutes?: string | undefined;
}

export interface Proposal extends ProposedPlace {
  /** Of all that an environment has, as JSON. */
  patch: string;
}

export interface SwitchProposal extends ProposedPlace {
  /** What the feature is to be. */
  switch: "on" | "off";
}

/** In characters, the page's address included. */
export const longestLink = 8000;

/** Returns undefined where the link would be too long. */
export function linkTo(page: string, proposal: Proposal | SwitchProposal) {
  const values = Object.entries({ ...proposal, etag: proposal.etag.replaceAll('"', "") });
  const given = values.filter((entry): entry is [string, string] => Boolean(entry[1]));
  const link = `${page}#${new URLSearchParams(given)}`;
  return link.length > longestLink ? undefined : link;
}
