/** Reads the proposal that a link has, and writes such a link. A link has no key: its reader has one. */

import { formatted, readPatch } from "./patch.ts";
import { linkTo, longestLink } from "./proposal-link.ts";
import type { PatchRequest } from "./request.ts";

/** Of the text in the editor, which a deeply nested patch could make huge. */
const mostCharacters = 100_000;

/** Returns undefined if the fragment is anything but one complete proposal. It is untrusted. */
export function readProposal(link: string) {
  const entries = [...new URLSearchParams(new URL(link).hash.slice(1))];
  const given: Partial<Record<string, string>> = Object.fromEntries(entries);
  const { project, feature, environment = "", by, patch = "", etag = "", reason = "", ...others } = given;
  if (Object.keys(given).length < entries.length || Object.keys(others).length > 0) return undefined;
  if (link.length > longestLink) return undefined;
  if (!project || !feature || (by !== "name" && by !== "index")) return undefined;
  // One strong ETag: "*" or a list of them would match states that the proposer has not seen.
  if (!/^(?:[\w-]+|"[\w-]+")$/.test(etag) || readPatch(patch).length === 0) return undefined;
  const text = formatted(patch);
  if (text.length > mostCharacters) return undefined;
  return {
    project,
    feature,
    environment,
    form: by,
    text,
    reason,
    proposed: `"${etag.replaceAll('"', "")}"`,
  } as const;
}

/** Undefined where the link would be too long. */
export function linkToDraft({ form, text, ...draft }: PatchRequest, etag: string): string | undefined {
  const patch = JSON.stringify(readPatch(text));
  return linkTo(`${location.origin}${location.pathname}`, { ...draft, by: form, patch, etag });
}
