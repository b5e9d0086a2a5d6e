/** The place and the draft that the page starts with: those of its link, or what the tab has kept, or none. */
import { keptDraft } from "./kept.ts";
import { readPlace } from "./place.ts";
import { newKey, type PatchRequest } from "./request.ts";
import { empty } from "./state.ts";

/** The local server adds it to the page: the demo's key, or an empty one. */
const { key, stage = "" } = document.body.dataset;
export const isLocal = key !== undefined;
export const stageName = isLocal ? "local" : stage;

export const firstPlace = readPlace(location.href);

const named =
  firstPlace.kind === "proposal"
    ? firstPlace.draft
    : firstPlace.kind === "feature"
      ? ofPlace({ project: firstPlace.project, feature: firstPlace.feature })
      : firstPlace.kind === "board"
        ? { ...keptDraft, ...(firstPlace.project && { project: firstPlace.project }) }
        : {};

export const firstDraft: PatchRequest = {
  project: "default",
  feature: "",
  ...empty,
  form: "name",
  etag: "*",
  proposed: "",
  idempotencyKey: newKey(),
  ...named,
  key: key ?? "",
};

/** A reload brings the draft back. */
function ofPlace(place: Pick<PatchRequest, "project" | "feature">): Partial<PatchRequest> {
  const isKept = keptDraft.project === place.project && keptDraft.feature === place.feature;
  return isKept ? keptDraft : place;
}
