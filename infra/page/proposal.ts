/** Reads the proposal of a link, and makes the link of a draft. A link has no API key: its reader uses another one. */
import { readPatch, writePatch } from "./patch.ts";
import { linkTo, longestLink } from "./proposal-link.ts";
import type { Draft } from "./request.ts";

/** The longest patch text that the page shows: indentation could make that of a deeply nested patch huge. */
const mostCharacters = 100_000;

/** Returns undefined if the fragment is anything but one complete proposal. It is untrusted. */
export function readProposal(link: string) {
  const entries = [...new URLSearchParams(new URL(link).hash.slice(1))];
  const given: Partial<Record<string, string>> = Object.fromEntries(entries);
  const { project, feature, environment = "", etag = "", reason = "", guard = "", ...rest } = given;
  const { minutes = "30", patch, switch: switchTo, ...others } = rest;
  if (Object.keys(given).length < entries.length || Object.keys(others).length > 0) return undefined;
  if (link.length > longestLink) return undefined;
  if (!project || !feature) return undefined;
  // One strong ETag: "*" or a list of them would match states that the proposer has not seen.
  if (!/^(?:[\w-]+|"[\w-]+")$/.test(etag)) return undefined;
  if (!/^\d{1,4}$/.test(minutes)) return undefined;
  const text = patchTextOf(patch, switchTo);
  if (text === undefined || text.length > mostCharacters) return undefined;
  const proposed = `"${etag.replaceAll('"', "")}"`;
  return { project, feature, environment, reason, guard, minutes, proposed, text };
}

function patchTextOf(patch: string | undefined, to: string | undefined) {
  if (to === undefined)
    return patch && readPatch(patch).length > 0 ? writePatch(readPatch(patch)) : undefined;
  return ["on", "off"].includes(to) && !patch ? writePatch([switchOperation(to === "on")]) : undefined;
}

export function switchOperation(enabled: boolean) {
  return { op: "replace", path: "/enabled", value: enabled };
}

/** Returns undefined if the link would be too long. */
export function linkToDraft(draft: Draft, etag: string): string | undefined {
  const { text, project, feature, environment, reason, guard, minutes } = draft;
  const guarded = guard && { guard, minutes };
  const place = { project, feature, environment, reason, etag, ...guarded };
  return linkTo(`${location.origin}${location.pathname}`, {
    ...place,
    patch: JSON.stringify(readPatch(text)),
  });
}
