/**
 * Makes the link of a proposal: a patch or a switch, which its reader previews and applies on the page with another API
 * key. All of the proposal is in the fragment, which no server sees. A link has neither a key nor the address of an API.
 */

interface ProposedPlace {
  project: string;
  feature: string;
  /** Absent or empty for all environments. */
  environment?: string | undefined;
  /** The ETag of the previewed state. In the link it has no quotes. */
  etag: string;
  reason?: string | undefined;
  /** The name of the alarm that undoes the change. */
  guard?: string | undefined;
  /** How long the guard lasts. */
  minutes?: string | undefined;
}

export interface Proposal extends ProposedPlace {
  /** A JSON Patch of the environment. */
  patch: string;
}

export interface SwitchProposal extends ProposedPlace {
  switch: "on" | "off";
}

/** The most characters of a link, the address of the page included. */
export const longestLink = 8000;

/** Returns undefined if the link would be too long. */
export function linkTo(page: string, proposal: Proposal | SwitchProposal) {
  const values = Object.entries({ ...proposal, etag: proposal.etag.replaceAll('"', "") });
  const given = values.filter((entry): entry is [string, string] => Boolean(entry[1]));
  const link = `${page}#${new URLSearchParams(given)}`;
  return link.length > longestLink ? undefined : link;
}
