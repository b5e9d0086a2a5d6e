/** Says what a preview shows, what stands in the way of applying it, what that has done, and what has changed since. */

import type { ListedChange } from "../../lib/contract/changes.ts";
import type { Detail } from "../../lib/contract/error-body.ts";
import { type Half, isHalfOf } from "./kept.ts";
import { ofVariants } from "./make-again.ts";
import { readOperation, readPatch } from "./patch.ts";
import type { Preview } from "./preview.ts";
import { isPatch, type PatchRequest } from "./request.ts";
import { type EnvironmentOutcome, named, type Reply } from "./send.ts";

/** Why nothing is applied, and where it is shown. */
export const unasked = "Another link was opened.";

export function wordsOf({ change, switchTo }: Pick<PatchRequest, "change" | "switchTo">) {
  if (switchTo) return { name: "switch", doing: `Switching ${switchTo}...`, done: `Switched ${switchTo}` };
  return change
    ? { name: "undo", doing: "Undoing...", done: "Undone" }
    : { name: "patch", doing: "Applying...", done: "Applied" };
}

/** `half` is the half-done patch of the feature, if there is one. */
export function summaryOf(preview: Preview, half: Half | undefined): string {
  const { draft, plan, stop, changed, ambiguities } = preview;
  const { name } = wordsOf(draft);
  const names = changed.join(", ");
  const invalid = readPatch(isPatch(draft) ? draft.text : "[]").flatMap((_, index) =>
    errorsOf(index, plan)[0] ? [index] : [],
  );
  if (plan.error) return invalid.length > 0 ? `Not valid: operation ${invalid.join(", ")}.` : plan.error;
  if (half && isHalfOf(half, draft)) {
    if (stop !== undefined) return `Finishing would ${names && `change ${names} and `}stop in ${stop} again.`;
    return names ? `Finishing would change ${names}.` : `Every environment has the ${name} already.`;
  }
  // Beside a half-done patch it would be misread.
  const nothing = half ? "." : "; nothing would be written.";
  if (draft.change) {
    if (stop !== undefined) return `The undo is not possible in ${stop}${nothing}`;
    return names ? `The undo would change ${names}.` : "It is undone already.";
  }
  if (draft.switchTo) {
    const to = draft.switchTo;
    if (stop !== undefined) return `The switch would fail in ${stop}${nothing}`;
    return names ? `${draft.feature} would go ${to} in ${names}.` : `It is ${to} already.`;
  }
  if (draft.text === "[]") return "As it is stored. Write a patch to see what it would do.";
  if (stop !== undefined && names) return `The patch would stop in ${stop}; ${names} would stay patched.`;
  if (stop !== undefined) return `The patch would fail in ${stop}${nothing}`;
  const different = ambiguities.find(Boolean) ?? "";
  return names ? `The patch would change ${names}. ${different}` : "The patch would change nothing.";
}

/** Why the half-done patch cannot be finished, or empty; `loaded` is the preview of the patch in the editor. */
export function obstacleTo(half: Half, draft: PatchRequest, loaded: Preview | undefined): string {
  if (draft.key === "") return "Enter the API key, and press Show.";
  if (!isHalfOf(half, draft)) return "Preview it first.";
  if (!loaded) return "Its preview is not there yet.";
  if (loaded.plan.error) return "Its preview has failed.";
  if (loaded.stop !== undefined) return `It would stop in ${loaded.stop} again: fix that first.`;
  return missing(loaded.plan);
}

/** What the key lacks for the request itself, or empty. */
export function missing(plan: Reply): string {
  const permissions = plan.missingPermissions.map(({ permission, environment }) =>
    environment === undefined ? permission : `${permission} in ${environment}`,
  );
  return permissions.length > 0 ? `This key lacks ${permissions.join(", ")}.` : "";
}

/** Whether the preview failed by what may be over soon: no response, an overload or an error of the server. */
export function isPassing({ error, status }: Reply): boolean {
  return error !== "" && (status === 0 || status >= 429);
}

/** Why the proposal cannot be applied as it was made, or empty; empty too where the draft is none. */
export function outdated(preview: Preview): string {
  const { draft, plan } = preview;
  if (["", plan.etag].includes(draft.proposed) || plan.error !== "") return "";
  const change = appliedAs(preview);
  return change
    ? `It was applied already: change ${change.id}.`
    : "The variants have changed since this was proposed.";
}

/**
 * The change that has made what the proposal proposes: the proposal would change nothing more, and the change has its
 * reason and touched what its operations name.
 */
export function appliedAs({ draft, plan, changed, stop, history }: Preview): ListedChange | undefined {
  const isDone = draft.proposed !== "" && plan.etag !== draft.proposed && plan.error === "";
  if (!isDone || changed.length > 0 || stop !== undefined) return undefined;
  const paths = readPatch(draft.text).map((operation) => readOperation(operation).path ?? "");
  return history?.changes.find(
    ({ undoes, reason = "", environments }) =>
      undoes === undefined &&
      reason === draft.reason &&
      environments.every(({ undoneBy }) => undoneBy === undefined) &&
      environments.some(({ difference }) => {
        const changes = ofVariants(difference);
        const switched = difference.find(({ path }) => path === "/enabled");
        return draft.switchTo
          ? switched?.value === (draft.switchTo === "on")
          : changes.length > 0 && (draft.form === "index" || touches(changes, paths));
      }),
  );
}

function touches(changes: readonly { path: string }[], paths: readonly string[]): boolean {
  return paths.every((path) =>
    changes.some((each) => `${each.path}/`.startsWith(`${path.split("/", 2).join("/")}/`)),
  );
}

/** The environments that another request has changed. */
export function changedSince(
  known: EnvironmentOutcome[],
  stored: EnvironmentOutcome[],
): EnvironmentOutcome[] {
  const contentOf = (one?: EnvironmentOutcome) => JSON.stringify([one?.variants, one?.enabled]);
  return known.filter((each) => contentOf(each) !== contentOf(named(stored, each.environment)));
}

/** By the pointer into the body, or by a message that begins with "operation N (its description): ". */
export function errorsOf(operation: number, { details, environments }: Reply): string[] {
  const isOwn = ({ path, message }: Detail) =>
    path?.split("/")[1] === String(operation) || message?.startsWith(`operation ${operation} `);
  const errors = ([...details, ...environments] as Detail[]).filter(isOwn);
  return errors.map(
    ({ path, environment = path, message }) => `${environment}: ${message?.replace(atOperation, "")}`,
  );
}

export const atOperation = /^operation \d+ \(.*?\): /;
