/** Draws what the forms offer, and says why one would do something else than it seems to. */
import { render } from "preact";
import { printable } from "../cli/printable.ts";
import { loadNames } from "./api.ts";
import { element, options, text } from "./controls.tsx";
import { ambiguity, type Environment } from "./indexes.ts";
import { isUnread, type Values } from "./patch.ts";
import type { PatchRequest } from "./request.ts";

/**
 * The environments are those of the request, as the patch in the editor leaves them. An index is into the variants of the
 * first one, a name may be of any.
 */
export function drawChoices(names: string[], draft: PatchRequest, environments: Environment[]): void {
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

let listed = "";

/** The lists depend on these fields alone. */
export async function offerNames({ key = "", project = "" }: Values): Promise<void> {
  const wanted = JSON.stringify([key, project]);
  if (key === "" || wanted === listed) return;
  listed = wanted;
  const { projects, features } = await loadNames({ key, project });
  if (wanted !== listed) return;
  // A load that failed is tried again with the next change of a field.
  if (projects.length === 0) listed = "";
  render(options(projects), element("#projects"));
  render(options(features), element("#features"));
}
