/** Says what came of a draft that was sent. */

import { limits } from "../../../../lib/contract/limits.ts";
import { isUndone, needsNewIdempotencyKey } from "../../api/error-codes.ts";
import { isChangeStored } from "../../api/outcomes.ts";
import { findNewestWrite } from "../../words/last-write.ts";
import type { PageState, Result } from "../page-state.ts";
import { codeOf, type Failure, isPreconditionFailed, leavesOutcomeUnknown } from "../requests/exchange.ts";
import { listOf, placeInWords } from "../words/format.ts";
import { attributionOf } from "../words/sentences.ts";
import { type Draft, isInScope, switchOf } from "./draft.ts";
import { effectOf } from "./effect.ts";
import type { DryRunReply, Preview } from "./send-draft.ts";

/** `dryRun`: the reply to the dry run after a request that has failed. */
export function outcomeOf(
  { draft, reply, where }: Result,
  state: PageState,
  dryRun: DryRunReply | undefined,
) {
  const to = switchOf(draft);
  const place = placeInWords(where, state.shownFeature?.environments.length ?? 0);
  if (reply.kind === "written") {
    const text = writtenText(draft, place);
    return { text: reply.hint ? `${text} ${reply.hint}.` : text, tone: "patched" };
  }
  const tone = dryRun?.kind === "preview" && isStored(draft, dryRun) ? "patched" : "failed";
  const { error } = reply;
  if (leavesOutcomeUnknown(reply)) {
    const what = to
      ? `${draft.feature} may be ${to} in ${place}`
      : `The change may have been stored in ${place}`;
    return { text: `${what}: ${error}. ${dryRun ? "New preview:" : ""}`, tone };
  }
  const seePreview = "Check the new preview.";
  if (isUndone(codeOf(reply))) {
    const where = draft.environment === "" ? " in at least one environment" : "";
    return { text: `This was applied, and has been undone since${where}. ${seePreview}`, tone };
  }
  // Each draft has an idempotency key of its own, so one that cannot be used again belongs to this change.
  if (needsNewIdempotencyKey(codeOf(reply)))
    return {
      text: `Nothing was written: this was applied more than ${limits.undoableDays} days ago. ${seePreview}`,
      tone,
    };
  const names = namesOfWritten(reply);
  if (names.length > 0) return { text: `Applied in ${listOf(names)} only. ${error}.`, tone };
  if (isPreconditionFailed(reply)) {
    const { changes = [] } = state.shownFeature?.history ?? {};
    const newest = findNewestWrite(changes, ({ environment }) => isInScope(draft, environment));
    const attribution = attributionOf(newest);
    return {
      text: `Nothing was written: ${draft.feature} was changed meanwhile${attribution}. ${seePreview}`,
      tone,
    };
  }
  return { text: `Nothing was written. ${error}.`, tone };
}

function writtenText(draft: Draft, place: string): string {
  const to = switchOf(draft);
  if (to) return `${draft.feature} is ${to} in ${place}.`;
  return draft.undo ? `Undone in ${place}.` : `Applied in ${place}.`;
}

function isStored(draft: Draft, preview: Preview): boolean {
  const { changing, failing } = effectOf(draft, preview);
  return changing.length === 0 && !failing;
}

function namesOfWritten(failure: Failure): string[] {
  const { details = [] } = failure.kind === "error response" ? failure.body : {};
  return details.flatMap(({ environment = [], outcome }) =>
    isChangeStored(outcome ?? "") ? environment : [],
  );
}
