/** The draft that the page starts with: the proposal of its link, or what the tab has kept, or an empty patch. */

import { keptDraft } from "./kept.ts";
import { readProposal } from "./proposal.ts";
import { newKey, type PatchRequest } from "./request.ts";

export const empty = { environment: "", text: "[]", change: "", reason: "" };

/** The local server adds it to the page: the demo's key, or an empty one. */
const { key } = document.body.dataset;
export const isLocal = key !== undefined;

const { href } = location;
const proposal = readProposal(href);
export const isBadLink = href.includes("#") && !proposal;
// It is read once: a page that opened this one cannot replace it by another before the click on Apply.
history.replaceState(null, "", location.pathname);

export const firstDraft: PatchRequest = {
  project: "default",
  feature: key ? "checkout" : "",
  ...empty,
  form: "name",
  etag: "*",
  proposed: "",
  idempotencyKey: newKey(),
  ...(proposal ?? keptDraft),
  key: key ?? "",
};
