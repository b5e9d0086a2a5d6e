/** Draws what the forms offer, and says why one would do something else than it seems to. */
import { render } from "preact";
import { printable } from "../cli/printable.ts";
import type { Board } from "./board-state.ts";
import { element, options, text } from "./controls.tsx";
import { ambiguity, type EnvironmentVariants } from "./indexes.ts";
import { isUnread } from "./patch.ts";
import type { PatchRequest } from "./request.ts";

/**
 * The environments are those of the request, as the patch in the editor leaves them. An index is into the variants of the
 * first one, a name may be of any.
 */
export function drawChoices(names: string[], draft: PatchRequest, environments: EnvironmentVariants[]): void {
  const isByIndex = draft.form === "index";
  const lists = environments.map(({ variants }) => variants.map(({ name }) => name));
  const offered = isByIndex ? (lists[0] ?? []) : lists.flat();
  const select = element<HTMLSelectElement>("#variants");
  render(options(names), element("#scopes"));
  render(options(names), element("#sources"));
  render(options(offered), select);
  const different = isByIndex ? ambiguity(offered.indexOf(select.value), environments) : "";
  render(
    different && text(`${different} Choose an environment, or variants by name.`),
    element("#ambiguity"),
  );
  // At least one variant has a variable weight: the first one shares with none.
  const { environment: first } = environments.find(({ variants }) => variants.length === 0) ?? {};
  const share = element<HTMLInputElement>("#share");
  share.disabled = first !== undefined;
  share.placeholder = first === undefined ? "an even share" : "all of it";
  render(first && text(`${first} has no variant: its first one has the whole weight.`), element("#whole"));
  // An operation would take the place of a text that is no patch yet.
  const isUsable = !isUnread(draft.text);
  for (const each of document.querySelectorAll<HTMLButtonElement>(".usual button")) {
    each.disabled = !isUsable || (different !== "" && each.closest("#change") !== null);
  }
  for (const input of document.querySelectorAll<HTMLInputElement>(".usual [name=name]")) {
    const taken = environments.filter(({ variants }) => variants.some(({ name }) => name === input.value));
    const places = taken.map(({ environment }) => environment).join(", ");
    input.setCustomValidity(places && printable(`${input.value} is in ${places} already.`));
  }
}

/** The projects that the key may read, and the one that is shown; the features as far as the board has loaded them. */
export function offerPlaces({ projects, features }: Board, { project }: PatchRequest): void {
  const select = element<HTMLSelectElement>("[name=project]");
  const { value } = select;
  render(options([...projects.map(({ id }) => id), project].filter(Boolean)), select);
  // What was chosen and is not shown yet stays.
  select.value = value || project;
  render(options(features.map(({ name }) => name)), element("#features"));
}
