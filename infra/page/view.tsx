/** Draws the verdict, the notices, the operations of the patch and the environments. */
import { render } from "preact";
import type { VariantForm } from "../../lib/contract/variants.ts";
import type { PatchRequest, Preview } from "./api.ts";
import { changeList } from "./changes.tsx";
import { type Actions, button, element, options, text } from "./controls.tsx";
import { environments } from "./environments.tsx";
import { featureOf, halfOf, halves, isSame } from "./halves.ts";
import { ambiguity, type Environment } from "./indexes.ts";
import { changedMeanwhile, halfDone, notice, proposal } from "./notices.tsx";
import { patchControls } from "./patch-controls.tsx";
import { changedSince, missing, obstacleTo, outdated, summaryOf } from "./verdict.ts";

interface State {
  draft: PatchRequest;
  /** The last preview: of the draft, or of one before it. */
  preview: Preview | undefined;
  result: { title: string; error: string } | undefined;
  known: Preview["stored"];
  earlier: PatchRequest | undefined;
}

const unseen = "Look first at what has changed.";

export function drawPage({ draft, preview, result, known, earlier }: State, actions: Actions): void {
  const half = halfOf(draft);
  const elsewhere = halves.findLast((other) => featureOf(other.request) !== featureOf(draft));
  const loaded = preview?.draft === draft ? preview : undefined;
  const error = preview?.plan.error ?? "";
  const changes = changedSince(known, preview?.stored ?? known);
  const isSeen = changes.length === 0;
  render(
    <>
      {result && notice(result.title, result.error === error ? "" : result.error)}
      {preview && !isSeen && changedMeanwhile(changes, preview, actions.see)}
      {draft.proposed && !(half && isSame(half, draft)) && proposal(draft, loaded)}
      {half &&
        halfDone(
          // The error is shown once.
          { ...half, cause: half.cause === error ? "" : half.cause },
          isSame(half, draft) ? loaded : undefined,
          isSeen ? obstacleTo(half, draft, loaded) : unseen,
          actions,
        )}
      {elsewhere &&
        button(`Show the half-done patch of ${elsewhere.request.feature}`, () =>
          actions.edit(elsewhere.request),
        )}
    </>,
    element("#notices"),
  );
  const verdict = element<HTMLOutputElement>("#result");
  if (!preview)
    return void render(draft.key === "" && "Enter an API key and a feature, and press Show.", verdict);
  const { draft: request, stored, stop, changed, ambiguities } = preview;
  const isHalf = half !== undefined && isSame(half, request);
  const obstacle = isSeen ? outdated(preview) || missing(preview) : unseen;
  const plan = isHalf ? without(preview.plan, half.cause) : preview.plan;
  element("textarea").ariaInvalid = String(error !== "");
  const isRed = stop || error || outdated(preview) || ambiguities.some(Boolean);
  verdict.className = isRed ? "failed" : changed.length > 0 ? "changed" : "";
  render(text(summaryOf(preview, half)), verdict);
  render(
    <>
      {earlier &&
        draft.text === "[]" &&
        button(`Bring back the patch of ${earlier.feature}`, () =>
          actions.edit({ text: earlier.text, form: earlier.form }),
        )}
      {patchControls({ ...preview, plan }, draft, actions, isHalf ? undefined : obstacle)}
    </>,
    element("#plan"),
  );
  render(
    <>
      <h2>{text(request.feature)}</h2>
      {environments(stored, plan.environments, request)}
      {changeList(preview, actions)}
    </>,
    element("#preview"),
  );
}

/**
 * Draws what the forms offer: environments, and the variants that the patch in the editor leaves. An index is into those
 * of the first environment, a name may be of any.
 */
export function drawChoices(names: string[], form: VariantForm, environments: Environment[]): void {
  const lists = environments.map(({ variants }) => variants.map(({ name }) => name));
  const offered = form === "index" ? (lists[0] ?? []) : lists.flat();
  const select = element<HTMLSelectElement>("#variants");
  render(options(names), element("#scopes"));
  render(options(names), element("#sources"));
  render(options(offered), select);
  const different = form === "index" ? ambiguity(offered.indexOf(select.value), environments) : "";
  render(
    different && text(`${different} Choose an environment, or variants by name.`),
    element("#ambiguity"),
  );
  for (const each of document.querySelectorAll<HTMLButtonElement>("#change button")) {
    each.disabled = different !== "";
  }
}

/** Leaves out the message that the notice of the half-done patch shows. */
function without(plan: Preview["plan"], cause: string): Preview["plan"] {
  const environments = plan.environments.map(({ message = "", ...others }) =>
    message === "" || cause.endsWith(message) ? others : { ...others, message },
  );
  return { ...plan, environments };
}
