/** Previews a patch of a feature's variants in every environment, applies it, and finishes one that stopped halfway. */
import { render } from "preact";
import { type Environment, type PatchRequest, type Reply, send, toCurl } from "./api.ts";
import { button, element, onForm, options, text } from "./controls.tsx";
import { Environments } from "./environments.tsx";
import { applied, errorsOf, readPatch, usualOperations, writePatch } from "./patch.ts";
import { loadPreview, named, newKey, type Preview } from "./preview.ts";

const { key = "" } = document.body.dataset;
const demo = { address: location.origin, key, project: "default", feature: key && "checkout" };
const start = { environment: "", form: "index", text: "[]", etag: "*" } as const;
let draft: PatchRequest = { ...demo, ...start, idempotencyKey: newKey() };
let preview: Preview | undefined;
/** Of the last request that was to write; `seen` is what was stored before, as far as the page knew. */
let result: { title: string; reply: Reply; seen: Environment[] } | undefined;
/** Patches that stopped halfway, or may have, by their idempotency key. */
const halves = new Map<string, PatchRequest>();
let timer: ReturnType<typeof setTimeout>;

onForm("#feature", "submit", (values) => edit({ ...values, environment: "" }));
onForm("#patch", "input", edit);
onForm("#usual", "submit", (values) => {
  const source = named(preview?.stored ?? [], values.source ?? "")?.variants ?? [];
  const operations = usualOperations(values, draft.form, variantsAfterPatch()[0] ?? [], source);
  edit({ text: writePatch([...readPatch(draft.text), ...operations]) });
});
edit(draft);

/** Fills the fields, and previews the patch. A changed patch has another idempotency key. */
function edit(changed: Partial<PatchRequest>): void {
  for (const [name, value] of Object.entries(changed)) {
    const field = document.querySelector<HTMLInputElement>(`[name="${name}"]`);
    if (field) field.value = value;
  }
  const edited = { ...draft, idempotencyKey: newKey(), ...changed };
  draft = edited;
  result = undefined;
  draw();
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const loaded = edited.key && (await loadPreview(edited));
    // A newer draft gets a preview of its own.
    if (!loaded || edited !== draft) return;
    preview = loaded;
    draw();
  }, 250);
}

async function apply({ stored, plan }: Preview): Promise<void> {
  element("main").inert = true;
  const reply = await send({ ...draft, etag: plan.etag }, "write");
  element("main").inert = false;
  const { error, status, details } = reply;
  const isRetry = halves.delete(draft.idempotencyKey);
  const isPatched = details.some(({ outcome }) => outcome === "patched");
  const isHalf = error !== "" && (isRetry || isPatched || status === 0 || status === 429 || status >= 500);
  const failure = isHalf ? `The patch ${isPatched ? "is" : "may be"} half done` : "Nothing was applied";
  const success = isRetry ? "Finished: every environment has the patch." : "Applied, as previewed.";
  if (isHalf) halves.set(draft.idempotencyKey, draft);
  edit(error ? draft : ([...halves.values()].at(-1) ?? { text: "[]" }));
  result = { title: error ? failure : success, reply, seen: stored };
  draw();
  element("article").focus();
}

function leave(): void {
  halves.delete(draft.idempotencyKey);
  edit({ text: "[]" });
}

/** An index is into the variants of the first environment, a name may be of any. */
function variantsAfterPatch() {
  const { environment, form } = draft;
  const scope = preview?.stored.filter((each) => ["", each.environment].includes(environment)) ?? [];
  const lists = scope.map(({ variants }) => applied(variants, readPatch(draft.text), form));
  return form === "name" ? lists : lists.slice(0, 1);
}

function draw(): void {
  if (!preview) return;
  const environments = preview.stored.map(({ environment }) => environment);
  const variants = variantsAfterPatch().flat();
  render(options(["", draft.environment, ...environments]), element("#scopes"));
  render(options(environments), element("#sources"));
  render(options(variants.map(({ name }) => name)), element("#variants"));
  element("textarea").ariaInvalid = String(preview.plan.error !== "");
  render(<Plan {...preview} />, element("#plan"));
  render(<Outcome {...preview} />, element("#preview"));
}

function Plan(preview: Preview) {
  const { plan, stop, changed } = preview;
  const patch = readPatch(draft.text);
  const isPreviewed = preview.draft === draft;
  const isHalf = halves.has(draft.idempotencyKey);
  const isReady = isPreviewed && (isHalf ? plan.error === "" && stop === undefined : changed.length > 0);
  const half = [...halves.values()].at(-1);
  return (
    <>
      <ol aria-label="Operations">
        {patch.map((operation, index) => (
          <li key={String(index)}>
            <code>{text(`${index} ${operation?.op} ${operation?.path}`)}</code>
            {button(`Delete operation ${index}`, () => edit({ text: writePatch(patch.toSpliced(index, 1)) }))}
            {isPreviewed && errorsOf(index, plan).map((error) => <p key={error}>{text(error)}</p>)}
          </li>
        ))}
      </ol>
      <p>
        <button type="button" class={stop && "failed"} disabled={!isReady} onClick={() => apply(preview)}>
          {isHalf ? "Finish it" : isReady && stop ? text(`Apply, and stop in ${stop}`) : "Apply"}
        </button>
        {half && button("Preview the half-done patch", () => edit(half))}
        {isHalf && button("Leave it half done", leave)}
      </p>
      <details>
        <summary>What do I send by curl?</summary>
        <pre>{toCurl({ ...preview.draft, etag: plan.etag })}</pre>
      </details>
    </>
  );
}

function Outcome({ draft, stored, plan, stop, summary }: Preview) {
  const isConflict = [409, 412].includes(result?.reply.status ?? 0);
  return (
    <>
      <h2>{text(draft.feature)}</h2>
      {result && (
        <article class={result.reply.error && "failed"} aria-label={result.title} tabIndex={-1}>
          <h3>{result.title}</h3>
          {result.reply.error && <p role="alert">{text(result.reply.error)}</p>}
          {isConflict && <h3>Changed since the preview</h3>}
          {isConflict && <Environments before={result.seen} after={stored} request={draft} note=" since" />}
        </article>
      )}
      <output id="result" class={stop && "failed"}>
        {text(summary)}
      </output>
      <Environments before={stored} after={plan.environments} request={draft} />
    </>
  );
}
