/**
 * The link of a proposal: a patch by name, for a person who opens it on the page `/patch` and applies it with a key of
 * their own. All of it is in the fragment, which no server sees. It has neither a key nor an address.
 */
export interface Proposal {
  project: string;
  feature: string;
  /** Of a proposal for one environment. */
  environment?: string | undefined;
  /** As JSON. */
  patch: string;
  /** Of the state that was previewed, in its quotes. */
  etag: string;
  reason?: string | undefined;
}

export const longestLink = 8000;

/** Undefined if the link would be longer than mail, chat and terminals pass on. */
export function linkTo(page: string, { project, feature, patch, etag, ...options }: Proposal) {
  const { environment = "", reason = "" } = options;
  const values = { project, feature, environment, by: "name", patch, etag: etag.replaceAll('"', ""), reason };
  const given = Object.entries(values).filter(([, value]) => value !== "");
  const link = `${page}#${new URLSearchParams(given)}`;
  return link.length > longestLink ? undefined : link;
}
