/** Previews a patch of a feature's variants in every environment, applies it, and finishes one that stopped halfway. */
import { render } from "preact";
import { loadPreview, named, newKey, type PatchRequest, type Preview, send, toCurl } from "./api.ts";
import { button, element, onForm, options, text } from "./controls.tsx";
import { environments } from "./environments.tsx";
import { applied, errorsOf, readPatch, usualOperations, writePatch } from "./patch.ts";

const { key = "" } = document.body.dataset;
const demo = { address: location.origin, key, project: "default", feature: key && "checkout" };
const start = { environment: "", form: "index", text: "[]", etag: "*" } as const;
let draft: PatchRequest = { ...demo, ...start, idempotencyKey: newKey() };
let preview: Preview | undefined;
/** Of the last request that was to write; `known` is what the page expects to be stored after it. */
let result: { title: string; reply: Preview["plan"]; known: Preview["stored"] } | undefined;
/** Patches that stopped halfway, or may have, by their idempotency key. */
const halves = new Map<string, PatchRequest>();
const featureOf = ({ address, project, feature }: PatchRequest) => [address, project, feature].join("/");
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
  const edited = { ...draft, idempotencyKey: newKey(), ...changed };
  draft = edited;
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

async function apply({ stored, plan }: Preview): Promise<void> {
  document.body.inert = true;
  const reply = await send({ ...draft, etag: plan.etag }, "write");
  document.body.inert = false;
  const { error, status, details } = reply;
  const isRetry = halves.delete(draft.idempotencyKey);
  const patched = plan.environments.filter((each) => named(details, each.environment)?.outcome === "patched");
  const isPatched = patched.length > 0;
  const isUnknown = [0, 409, 429].includes(status) || status >= 500;
  const isHalf = error !== "" && (isRetry || isPatched || isUnknown);
  const failure = isHalf ? `The patch ${isPatched ? "is" : "may be"} half done` : "Nothing was applied";
  const success = isRetry ? "Finished: every environment has the patch." : "Applied, as previewed.";
  if (isHalf) halves.set(draft.idempotencyKey, draft);
  const half = [...halves.values()].findLast((each) => featureOf(each) === featureOf(draft));
  edit(error ? draft : (half ?? { text: "[]" }));
  const known = stored.map((each) => named(patched, each.environment) ?? each);
  result = { title: error ? failure : success, reply, known };
  draw();
  element("article").focus();
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
  const names = preview.stored.map(({ environment }) => environment);
  render(options(["", draft.environment, ...names]), element("#scopes"));
  render(options(names), element("#sources"));
  render(options(variantsAfterPatch().flatMap((list) => list.map(({ name }) => name))), element("#variants"));
  element("textarea").ariaInvalid = String(preview.plan.error !== "");
  render(<Plan {...preview} />, element("#plan"));
  render(<Outcome {...preview} />, element("#preview"));
}

function Plan(preview: Preview) {
  const { plan, stop, changed } = preview;
  const patch = readPatch(draft.text);
  const isPreviewed = preview.draft === draft;
  const half = halves.get(draft.idempotencyKey);
  const other = [...halves.values()].at(-1);
  const isReady = isPreviewed && plan.error === "" && (half ? stop === undefined : changed.length > 0);
  const label = half ? "Finish it" : isReady && stop ? `Apply, and stop in ${stop}` : "Apply";
  const remove = (index: number) => edit({ text: writePatch(patch.toSpliced(index, 1)) });
  const command = toCurl({ ...preview.draft, etag: plan.etag });
  return (
    <>
      <ol aria-label="Operations">
        {patch.map((operation, index) => (
          <li key={String(index)}>
            <code>{text(`${index} ${operation?.op} ${operation?.path}`)}</code>
            {button(`Delete operation ${index}`, () => remove(index), { children: "✕" })}
            {isPreviewed && errorsOf(index, plan).map((error) => <p key={error}>{text(error)}</p>)}
          </li>
        ))}
      </ol>
      <p>
        {button(label, () => apply(preview), { class: `primary ${stop && "failed"}`, disabled: !isReady })}
        {other && button(`Preview the half-done patch of ${other.feature}`, () => edit(other))}
        {half &&
          button("Leave it half done", () => halves.delete(half.idempotencyKey) && edit({ text: "[]" }))}
      </p>
      <details>
        <summary>What do I send by curl?</summary>
        <pre>{command}</pre>
        {button("Copy the command", () => navigator.clipboard.writeText(command))}
      </details>
    </>
  );
}

function Outcome(preview: Preview) {
  const { draft: request, stored, plan, stop, changed, summary } = preview;
  const isNewer = request === draft && [409, 412].includes(result?.reply.status ?? 0);
  const isChanged = ({ environment, variants }: (typeof stored)[0]) =>
    JSON.stringify(variants) !== JSON.stringify(named(stored, environment)?.variants);
  const others = isNewer ? (result?.known.filter(isChanged) ?? []) : [];
  return (
    <>
      <h2>{text(request.feature)}</h2>
      {result && (
        <article class={result.reply.error ? "failed" : "patched"} aria-label={result.title} tabIndex={-1}>
          <h3>{result.title}</h3>
          {result.reply.error && <p role="alert">{text(result.reply.error)}</p>}
          {others.length > 0 && <h3>Changed since the preview</h3>}
          {others.length > 0 && environments(others, stored, request, " since")}
        </article>
      )}
      <output id="result" class={stop || plan.error ? "failed" : changed.length > 0 ? "changed" : ""}>
        {text(summary)}
      </output>
      {environments(stored, plan.environments, request)}
    </>
  );
}
