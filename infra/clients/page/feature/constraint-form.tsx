/** Draws a form that edits the constraints of a strategy. A user has to meet all of them. */
import { useState } from "preact/hooks";
import { operators, takesOneValue } from "../../words/operators.ts";
import { button, Choice } from "../elements/controls.tsx";
import type { ShownStrategy } from "../requests/shown.ts";

type Constraint = ShownStrategy["constraints"][number];

interface Editing {
  /** The constraints that were shown when editing began. */
  shown: readonly Constraint[];
  list: Constraint[];
  /** The `save` of when editing began: it sends the ETag that was read then. */
  save(list: Constraint[]): void;
}

export function ConstraintForm({
  constraints,
  save,
}: {
  constraints: Constraint[];
  save(list: Constraint[]): void;
}) {
  const [edited, setEdited] = useState<Editing | undefined>(undefined);
  const begun = edited ?? { shown: constraints, list: constraints, save };
  const { list } = begun;
  const edit = (changed: Constraint[]) => setEdited({ ...begun, list: changed });
  const set = (index: number, members: Partial<Constraint>) =>
    edit(list.map((each, at) => (at === index ? normalised({ ...each, ...members }) : each)));
  const add = () => edit([...list, { contextName: "", operator: "IN", values: [] }]);
  return (
    <form
      class="constraints"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        begun.save(list.map((each) => tidied(each, begun.shown)));
        setEdited(undefined);
      }}
    >
      {list.map((constraint, index) => (
        <div class="line" key={String(index)}>
          <input
            aria-label="Context field"
            placeholder="field"
            required
            value={constraint.contextName}
            onInput={({ currentTarget }) => set(index, { contextName: currentTarget.value })}
          />
          <Choice
            label="Operator"
            value={constraint.operator}
            choices={operators}
            choose={(operator) => set(index, { operator: operator as Constraint["operator"] })}
          />
          {takesOneValue(constraint.operator) ? (
            <input
              aria-label="Value"
              placeholder="value"
              value={constraint.value ?? ""}
              onInput={({ currentTarget: { value } }) => set(index, { value })}
            />
          ) : (
            <Values values={constraint.values ?? []} change={(values) => set(index, { values })} />
          )}
          <label class="line">
            <input
              type="checkbox"
              checked={constraint.inverted ?? false}
              onChange={({ currentTarget }) => set(index, { inverted: currentTarget.checked })}
            />
            not
          </label>
          {button("Remove the constraint", () => edit(list.toSpliced(index, 1)), { children: "✕" })}
        </div>
      ))}
      <div class="line">
        {button("Add a constraint", add, { class: "link" })}
        {edited && <button type="submit">Use these constraints</button>}
      </div>
    </form>
  );
}

/** Draws one value on each line, as a value may have commas. */
function Values({ values, change }: { values: readonly string[]; change(values: string[]): void }) {
  const isReadOnly = values.some((value) => /[\r\n]/.test(value));
  return (
    <>
      <textarea
        aria-label="Values, one on each line"
        placeholder="values"
        rows={Math.min(8, values.length || 1)}
        value={values.join("\n")}
        readOnly={isReadOnly}
        onInput={({ currentTarget: { value } }) => change(value.split("\n"))}
      />
      {isReadOnly && <small>A value has a line break: change it as JSON.</small>}
    </>
  );
}

/** Omits the blanks and empty lines that the user has typed, but keeps values that the shown constraints have. */
function tidied(constraint: Constraint, shown: readonly Constraint[]): Constraint {
  if (!constraint.values) return constraint;
  const known = new Set(shown.flatMap(({ values = [] }) => values));
  const values = constraint.values.flatMap((each) => (known.has(each) ? each : each.trim() || []));
  return { ...constraint, values };
}

/** Keeps only the member that the operator compares with. */
function normalised({ values, value, inverted, ...rest }: Constraint): Constraint {
  const compared = takesOneValue(rest.operator)
    ? { value: value ?? values?.[0] ?? "" }
    : { values: values ?? (value ? [value] : []) };
  return { ...rest, ...compared, ...(inverted && { inverted }) };
}
