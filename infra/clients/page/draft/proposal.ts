/** Reads the proposal of a link, and makes the link of a draft. A link has no API key: its reader uses another one. */
import { guardMinutesIssue } from "../../api/headers.ts";
import { type Draft, defaultOptions } from "./draft.ts";
import { readPatch, writePatch } from "./patch.ts";
import { linkTo, longestLink } from "./proposal-link.ts";

/** The longest patch text that the page shows: indentation could make that of a deeply nested patch huge. */
const mostCharacters = 100_000;

/** The members of the draft that a link proposes. */
export type Proposed = Readonly<
  Record<
    "project" | "feature" | "environment" | "reason" | "guard" | "minutes" | "proposedEtag" | "text",
    string
  >
>;

const memberNames = "project feature environment etag reason guard minutes patch switch".split(" ");

/** Reads the fragment, which is untrusted. Returns what is wrong if it is anything but one complete proposal. */
export function readProposal(link: string): Proposed | string {
  if (link.length > longestLink) return `It has more than ${longestLink} characters`;
  const entries = [...new URLSearchParams(new URL(link).hash.slice(1))];
  const names = entries.map(([name]) => name);
  const unknown = names.find((name) => !memberNames.includes(name));
  if (unknown !== undefined) return `"${unknown}" is not a member of a proposal`;
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) return `"${repeated}" is given twice`;
  const given: Partial<Record<string, string>> = Object.fromEntries(entries);
  const {
    project,
    feature,
    environment = "",
    etag,
    reason = "",
    guard = "",
    minutes = defaultOptions.minutes,
  } = given;
  if (!project) return '"project" is missing';
  if (!feature) return '"feature" is missing';
  if (!etag) return '"etag" is missing';
  // "*" or a list of ETags would match states that the proposer has not seen.
  if (!/^(?:[\w-]+|"[\w-]+")$/.test(etag)) return '"etag" is not one strong ETag';
  const minutesIssue = guardMinutesIssue(minutes);
  if (minutesIssue) return `"minutes" ${minutesIssue}`;
  const patch = readOperations(given);
  if (typeof patch === "string") return patch;
  const text = writePatch(patch);
  if (text.length > mostCharacters) return '"patch" is too large to be shown';
  const proposedEtag = `"${etag.replaceAll('"', "")}"`;
  return { project, feature, environment, reason, guard, minutes, proposedEtag, text };
}

function readOperations({ patch, switch: to }: Partial<Record<string, string>>) {
  if (patch && to !== undefined) return 'It has both "patch" and "switch"';
  if (to !== undefined)
    return ["on", "off"].includes(to) ? [switchOperation(to === "on")] : '"switch" is neither on nor off';
  if (!patch) return '"patch" is missing';
  const operations = readPatch(patch);
  return operations.length > 0 ? operations : '"patch" is not a JSON Patch with an operation';
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
