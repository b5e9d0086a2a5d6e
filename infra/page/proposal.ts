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
  const { project, feature, environment = "", by, patch, etag = "", reason = "", ...rest } = given;
  const { switch: switchTo = "", ...others } = rest;
  if (Object.keys(given).length < entries.length || Object.keys(others).length > 0) return undefined;
  if (link.length > longestLink) return undefined;
  if (!project || !feature) return undefined;
  // One strong ETag: "*" or a list of them would match states that the proposer has not seen.
  if (!/^(?:[\w-]+|"[\w-]+")$/.test(etag)) return undefined;
  const place = { project, feature, environment, reason, proposed: `"${etag.replaceAll('"', "")}"` };
  if (rest.switch !== undefined) {
    const isSwitch = (switchTo === "on" || switchTo === "off") && by === undefined && patch === undefined;
    return isSwitch ? ({ ...place, form: "name", text: "[]", switchTo } as const) : undefined;
  }
  if (patch === undefined || readPatch(patch).length === 0) return undefined;
  if (by !== "name" && by !== "index") return undefined;
  const text = formatted(patch);
  if (text.length > mostCharacters) return undefined;
  return { ...place, form: by, text, switchTo: "" } as const;
}

/** Undefined where the link would be too long. */
export function linkToDraft(request: PatchRequest, etag: string): string | undefined {
  const { form, text, switchTo, project, feature, environment, reason } = request;
  const place = { project, feature, environment, reason, etag };
  const page = `${location.origin}${location.pathname}`;
  if (switchTo === "on" || switchTo === "off") return linkTo(page, { ...place, switch: switchTo });
  return linkTo(page, { ...place, by: form, patch: JSON.stringify(readPatch(text)) });
}
