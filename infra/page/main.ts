/** Previews a patch of a feature's variants in every environment, applies it, and finishes one that stopped halfway. */
import { loadPreview, named, type Preview, send } from "./api.ts";
import { drawChoices, offerNames } from "./choices.tsx";
import { type Actions, element, onForm, showPlan } from "./controls.tsx";
import { dropHalf, dropUndone, featureOf, halfOf, halves, isSame, keepDraft, keepHalf } from "./kept.ts";
import { applied, formatted, readPatch, usualOperations, writePatch } from "./patch.ts";
import { newKey, type PatchRequest } from "./request.ts";
import { empty, firstDraft, isBadLink, isLocal } from "./start.ts";
import { halfAfter, halfBefore, resultOf } from "./verdict.ts";
import { drawPage } from "./view.tsx";

let draft = firstDraft;
let preview: Preview | undefined;
/** What came of the last request that was to write, until the draft changes. */
let result: { title: string; error: string } | undefined;
/** What the page took for stored before another request changed it, until the user has seen the change. */
let known: Preview["stored"] = [];
/** The draft that another feature, or a change to make again, has replaced, until its patch is brought back. */
let earlier: PatchRequest | undefined;
/** The text that makeAgain has filled in. */
let again = "";
/** Whether a request that is to write is under way. */
let isSending = false;
let timer: ReturnType<typeof setTimeout>;

onForm("#feature", "change", offerNames);
onForm("#feature", "submit", (values) => {
  const { feature, idempotencyKey, proposed } = draft;
  const isMoved = featureOf({ ...draft, ...values }) !== featureOf(draft);
  // The first feature that is entered gets the patch that is there.
  const rest = isMoved ? feature !== "" && empty : { idempotencyKey, proposed };
  edit({ ...values, ...rest });
});
// Another environment or form is for the undo too; another text is a patch again.
onForm("#patch", "input", (values) => edit({ ...values, ...(values.text !== draft.text && { change: "" }) }));
onForm(".usual", "input", () => draw());
onForm(".usual", "submit", (values) => {
  const source = named(preview?.stored ?? [], values.source ?? "")?.variants ?? [];
  const { value: variant } = element<HTMLSelectElement>("#variants");
  const list = afterPatch()[0]?.variants ?? [];
  const operations = usualOperations({ ...values, variant }, draft.form, list, source);
  edit({ text: writePatch([...readPatch(draft.text), ...operations]), change: "" });
});
// The input event of a paste comes after this event.
element("textarea").addEventListener("paste", () =>
  setTimeout(() => {
    const text = formatted(draft.text);
    if (text !== draft.text) edit({ text });
  }),
);

/** Fills the fields, and previews the patch. A changed patch has another idempotency key, and is no proposal. */
function edit(changed: Partial<PatchRequest>): void {
  const edited = { ...draft, idempotencyKey: newKey(), proposed: "", ...changed };
  const isOther = featureOf(edited) !== featureOf(draft);
  if (isOther) known = [];
  // A half-done patch has a button of its own.
  if (isOther && edited.text !== draft.text && !halves.some((half) => isSame(half, draft))) earlier = draft;
  draft = edited;
  if (draft.text === earlier?.text) earlier = undefined;
  keepDraft(draft);
  result = undefined;
  draw();
  for (const [name, value] of Object.entries(changed)) {
    Object.assign(document.querySelector(`[name="${name}"]`) ?? {}, { value });
  }
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const loaded = edited.key && (await loadPreview(edited));
    // A newer draft gets a preview of its own.
    if (!loaded || edited !== draft) return;
    preview = loaded;
    draw();
  }, 250);
}

async function apply({ draft: request, stored, plan }: Preview): Promise<void> {
  setSending(true);
  draw();
  element("#result").focus();
  const previous = dropHalf(request);
  const isRetry = previous !== undefined;
  const sent = halfBefore(request, previous);
  keepHalf(sent);
  const reply = await send({ ...request, etag: plan.etag }, "write").finally(() => setSending(false));
  dropHalf(request);
  const half = halfAfter(reply, sent, isRetry);
  if (half) keepHalf(half);
  const { error, status, details } = reply;
  if (request.change && !error) dropUndone(request);
  const patched = plan.environments.filter((each) => named(details, each.environment)?.outcome === "patched");
  const expected = inScope(stored).map((each) => named(patched, each.environment) ?? each);
  known = [409, 412].includes(status) ? expected : [];
  const next = halfOf(request)?.request ?? {
    reason: "",
    ...(request.change ? { change: "" } : { text: "[]" }),
  };
  edit(error ? request : next);
  result = half ? undefined : resultOf(request, error, isRetry);
  draw();
  element("article").focus();
}

/** While a request is sent, nothing can be changed. */
function setSending(value: boolean): void {
  isSending = value;
  for (const each of document.querySelectorAll<HTMLElement>("header, #notices, main")) each.inert = value;
}

function inScope(stored: Preview["stored"]) {
  return stored.filter(({ environment }) => ["", environment].includes(draft.environment));
}

/** The environments as the patch in the editor leaves them. */
function afterPatch() {
  const patch = readPatch(draft.text);
  return inScope(preview?.stored ?? []).map(({ environment, variants }) => ({
    environment,
    variants: applied(variants, patch, draft.form),
  }));
}

const actions: Actions = {
  edit,
  undo(change, environment) {
    edit({ change, environment, reason: "" });
    showPlan();
  },
  makeAgain(difference, environment) {
    if (!["[]", again].includes(draft.text)) earlier = draft;
    again = writePatch(difference);
    edit({ ...empty, environment, form: "name", text: again });
    showPlan();
  },
  apply,
  leave(half) {
    dropHalf(half.request);
    if (isSame(half, draft)) edit({ text: "[]", change: "", reason: "" });
    else draw();
  },
  see() {
    known = [];
    draw();
  },
};

function draw(): void {
  const focused = document.activeElement;
  const names = preview?.stored.map(({ environment }) => environment) ?? [];
  drawChoices(names, draft, afterPatch());
  drawPage({ draft, preview, result, known, earlier, again, isSending }, actions);
  // The button that was pressed may be gone.
  if (!focused?.isConnected) element("#result").focus();
}

element("#reference").hidden = !isLocal;
edit(draft);
if (isBadLink) {
  const error = "Something in it is missing, invalid, repeated, unknown or too long. Nothing of it is used.";
  result = { title: "The link is not a proposal", error };
  draw();
}
void offerNames(draft);
