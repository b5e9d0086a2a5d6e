/** Reads the proposal that a link has, and writes such a link. A link has no address and no key: they are the reader's own. */
import type { PatchRequest } from "./api.ts";
import { formatted, readPatch } from "./patch.ts";

export const mostLinkCharacters = 8000;
/** Of the text in the editor, which a deeply nested patch could make huge. */
const mostCharacters = 100_000;

/** Returns undefined if the fragment is anything but one complete proposal. It is untrusted. */
export function readProposal(link: string) {
  const entries = [...new URLSearchParams(new URL(link).hash.slice(1))];
  const given: Partial<Record<string, string>> = Object.fromEntries(entries);
  const { project, feature, environment = "", by, patch = "", etag = "", reason = "", ...others } = given;
  if (Object.keys(given).length < entries.length || Object.keys(others).length > 0) return undefined;
  if (link.length > mostLinkCharacters) return undefined;
  if (!project || !feature || (by !== "name" && by !== "index")) return undefined;
  // One strong ETag: "*" or a list of them would match states that the proposer has not seen.
  if (!/^"[\w-]+"$/.test(etag) || readPatch(patch).length === 0) return undefined;
  const text = formatted(patch);
  if (text.length > mostCharacters) return undefined;
  return { project, feature, environment, form: by, text, reason, proposed: etag } as const;
}

export function linkTo({ project, feature, environment, form, text, reason }: PatchRequest, etag: string) {
  const patch = JSON.stringify(readPatch(text));
  const given = { project, feature, environment, by: form, patch, etag, reason };
  const members = Object.entries(given).filter(([, value]) => value !== "");
  return `${location.origin}${location.pathname}#${new URLSearchParams(members)}`;
}
