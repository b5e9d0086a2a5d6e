/** Says what a draft would do, and what prevents sending it. */
import { findNewestWrite } from "../../words/last-write.ts";
import type { PageState } from "../page-state.ts";
import { listOf, placeInWords } from "../words/format.ts";
import { attributionOf, changeInWords, intentOf } from "../words/sentences.ts";
import { type Draft, isInScope, isProposal, operationsOf, switchOf } from "./draft.ts";
import { effectOf, environmentNames, writesAllOrNothing } from "./effect.ts";
import { readOperation } from "./patch.ts";
import type { DryRunReply, EnvironmentPreview } from "./send-draft.ts";

interface Headline {
  bold: string;
  rest: string;
  isBad: boolean;
}

/** The labels of the button that sends the draft, before and while it is sent. */
export function labelsOf(draft: Draft) {
  const to = switchOf(draft);
  if (to) return { button: `Switch ${to}`, sending: `Switching ${to}...` };
  if (draft.undo) return { button: "Undo the change", sending: "Undoing..." };
  return { button: `Apply in ${draft.environment || "every environment"}`, sending: "Applying..." };
}

/** Says in a few words what the dry run shows, and what follows from it. */
export function headlineOf(state: PageState, draft: Draft, reply: DryRunReply): Headline {
  if (reply.kind !== "preview")
    return { bold: "This draft cannot be previewed.", rest: reply.error, isBad: true };
  const { changing, done, failing } = effectOf(draft, reply);
  const names = environmentNames(changing);
  const doneText = done.length > 0 ? `Already stored in ${listOf(done)}. ` : "";
  if (failing) {
    const before = names.length > 0 ? `${listOf(names)} would be changed before` : "nothing would be written";
    return {
      bold: `This would fail in ${failing.environment}; ${before}.`,
      rest: doneText + (failing.message ?? ""),
      isBad: true,
    };
  }
  if (reply.environments.length === 0)
    return { bold: `${draft.feature} has no environments.`, rest: "", isBad: false };
  if (names.length === 0) return { bold: noEffect(state, draft, done), rest: "", isBad: false };
  const { bold, rest } = effectInWords(state, draft, changing);
  return { bold, rest: doneText + rest, isBad: false };
}

function effectInWords(state: PageState, draft: Draft, changing: readonly EnvironmentPreview[]) {
  const feature = state.shownFeature?.environments ?? [];
  const names = environmentNames(changing);
  const place = placeInWords(names, feature.length);
  const to = switchOf(draft);
  if (to) {
    const seen = to === "on" ? "SDKs see it" : "SDKs stop seeing it";
    const rest = `${seen} within 6 seconds, plus their polling interval. ${unswitched(state, names)}`;
    return { bold: `${draft.feature} goes ${to} in ${place}.`, rest };
  }
  const undone = state.shownFeature?.history?.changes.find(({ id }) => id === draft.undo);
  if (undone) {
    return {
      bold: `Undo this change in ${place}?`,
      rest: `${undone.by} ${changeInWords(undone, feature)}.`,
    };
  }
  const intents = changing.map(({ difference = [] }) => intentOf(difference, { isUndo: draft.undo !== "" }));
  return { bold: `In ${place}:`, rest: `${[...new Set(intents)].join("; ")}.` };
}

/** "checkout is off already in production, by demo, 2 seconds ago: incident 7." */
function noEffect(state: PageState, draft: Draft, done: readonly string[]): string {
  const all = state.shownFeature?.environments.length ?? 0;
  if (done.length > 0) return `Already stored in ${placeInWords(done, all)}.`;
  const to = switchOf(draft);
  const place = draft.environment || "every environment";
  if (to) return `${draft.feature} is ${to} already in ${place}${attributionOf(newestAbout(state, draft))}.`;
  if (draft.undo) return "This change is already undone.";
  const attribution = isProposal(draft) ? attributionOf(newestAbout(state, draft)) : "";
  return `Nothing would change: ${place} already has these values${attribution}.`;
}

/** The newest write in effect, perhaps that of an undo, of a path that the draft names. */
function newestAbout({ shownFeature }: PageState, draft: Draft) {
  const paths = operationsOf(draft).map((operation) => readOperation(operation).path);
  const isAbout = (path: string) =>
    paths.some((each) => `${each}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${each}/`));
  return findNewestWrite(
    shownFeature?.history?.changes ?? [],
    ({ environment, difference, undoneBy }) =>
      isInScope(draft, environment) && !undoneBy && difference.some(({ path }) => isAbout(path)),
  );
}

/** "development and staging stay on." */
function unswitched({ shownFeature }: PageState, switched: readonly string[]): string {
  const others =
    shownFeature?.environments.filter(({ environment }) => !switched.includes(environment)) ?? [];
  const sentences = [true, false].flatMap((isOn) => {
    const names = environmentNames(others.filter(({ enabled }) => enabled === isOn));
    if (names.length === 0) return [];
    return `${listOf(names)} ${names.length === 1 ? "stays" : "stay"} ${isOn ? "on" : "off"}.`;
  });
  return sentences.join(" ");
}

/** Says why the user cannot send the draft now, or returns "". */
export function obstacleTo(state: PageState, draft: Draft, reply: DryRunReply | undefined): string {
  if (state.link) return "Another link was opened.";
  if (reply?.kind !== "preview") return "";
  if (isProposal(draft) && reply.etag !== draft.proposedEtag)
    return `${draft.feature} has changed since this was proposed.`;
  const { failing } = effectOf(draft, reply);
  if (failing && writesAllOrNothing(draft))
    return `This request is all or nothing, and it would fail in ${failing.environment}.`;
  const lacking = reply.missingPermissions.map(({ permission, environment }) =>
    environment === undefined ? permission : `${permission} in ${environment}`,
  );
  return lacking.length > 0 ? `This key lacks ${lacking.join(", ")}.` : "";
}

export function proposalText(draft: Draft, reply: DryRunReply): string {
  if (!isProposal(draft) || draft.isSent) return "";
  const isCurrent =
    reply.kind === "preview" && reply.etag === draft.proposedEtag && !effectOf(draft, reply).failing;
  return `A proposal, from the link that you opened.${isCurrent ? " Nothing has changed since it was made." : ""}`;
}
