/** The patch: its text, buttons that write the usual operations, and errors at the operation that they are about. */
import { useState } from "preact/hooks";
import type { Patch } from "../../lib/contract/patch.ts";
import { Button, Choice, Field, text, valuesOf } from "./controls.tsx";
import { applied, byName, type Draft, errorsOf, usual, usualOperations, writePatch } from "./draft.ts";
import { named, type View } from "./look.ts";

interface Props {
  draft: Draft;
  patch: Patch;
  view: View;
  change(draft: Partial<Draft>): void;
}

export function Editor({ issue, ...props }: Props & { issue: string | undefined }) {
  const { draft, view, change } = props;
  const environments = view.current.map(({ environment }) => environment);
  return (
    <>
      <div class="fields">
        <Choice
          label="Environment"
          value={draft.environment}
          choose={(environment) => change({ environment })}
          options={[["", "all, in order"], ...environments]}
        />
        <Choice
          label="Variants by"
          value={draft.form}
          choose={(form) => change({ form: form === "name" ? "name" : "index" })}
          options={[
            ["index", "index: /0/weight"],
            ["name", "name: /blue/weight"],
          ]}
        />
      </div>
      <Writer {...props} />
      <label>
        JSON Patch
        <textarea
          rows={5}
          spellcheck={false}
          value={draft.text}
          aria-invalid={issue !== undefined}
          aria-describedby="patch-issue"
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
      </label>
      <p id="patch-issue" class="issue">
        {issue && text(issue)}
      </p>
      <Operations {...props} />
    </>
  );
}

function Operations({ draft, patch, view, change }: Props) {
  const errors = patch.map((_, index) =>
    view.draft === draft ? errorsOf(index, view.problem, view.planned) : [],
  );
  const without = (index: number) => writePatch(patch.filter((_, other) => other !== index));
  return (
    <ol class="operations" aria-label="Operations">
      {patch.map((operation, index) => (
        <li key={String(index)} class={errors[index]?.length ? "failed" : ""}>
          <code>{text(`${index} ${operation?.op} ${operation?.path}`)}</code>
          <Button aria-label={`Delete operation ${index}`} onClick={() => change({ text: without(index) })}>
            ×
          </Button>
          {errors[index]?.map((message) => (
            <p class="issue">{text(message)}</p>
          ))}
        </li>
      ))}
    </ol>
  );
}

function Writer({ draft: { form, environment }, patch, view: { current }, change }: Props) {
  const [kind, setKind] = useState<(typeof usual)[number] | "Copy">();
  const lists = current
    .filter((each) => environment === "" || each.environment === environment)
    .map(({ variants }) => applied(variants, patch, form) ?? variants);
  const names = [...new Set((form === "name" ? lists.flat() : (lists[0] ?? [])).map(({ name }) => name))];
  const environments = current.map(({ environment }) => environment);
  const write = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const { name = "", to = "", weight } = valuesOf(event.currentTarget);
    setKind(undefined);
    if (kind === "Copy") {
      const value = byName(named(current, name)?.variants ?? []);
      change({ form: "name", environment: to, text: writePatch([{ op: "replace", path: "", value }]) });
    } else if (kind) {
      const operations = usualOperations(kind, { name, to, weight: Number(weight) }, lists[0] ?? [], form);
      change({ text: writePatch([...patch, ...operations]) });
    }
  };
  return (
    <>
      <fieldset class="buttons" aria-label="Write an operation">
        {[...usual, "Copy" as const].map((each) => (
          <Button aria-expanded={kind === each} onClick={() => setKind(kind === each ? undefined : each)}>
            {each === "Copy" ? "Copy an environment" : each}
          </Button>
        ))}
      </fieldset>
      {kind && (
        <form key={kind} class="fields" aria-label={kind} onSubmit={write}>
          {kind === "Copy" ? (
            <>
              <Choice label="Variants of" name="name" options={environments} />
              <Choice label="replace those of" name="to" options={environments.toReversed()} />
            </>
          ) : (
            kind !== "Add" && <Choice label="Variant" name="name" options={names} />
          )}
          {(kind === "Add" || kind === "Rename") && <Field label="Name" name="to" required />}
          {kind === "Fix a weight" && (
            <Field label="Weight" name="weight" type="number" min="0" max="1000" required />
          )}
          <button type="submit">{kind === "Copy" ? "Replace the patch" : "Add to the patch"}</button>
        </form>
      )}
    </>
  );
}
