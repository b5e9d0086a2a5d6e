/** Draws the variants of an environment or of a strategy, and edits them. */
import { useState } from "preact/hooks";
import { formatPointer } from "../../../../lib/contract/json.ts";
import { limits } from "../../../../lib/contract/limits.ts";
import { printable } from "../../../cli/printable.ts";
import type { Operation } from "../draft/patch.ts";
import { weightBar } from "../elements/bars.tsx";
import { button, Choice, Failed, fieldsOf, Opening, text } from "../elements/controls.tsx";
import { Field, PercentField } from "../elements/fields.tsx";
import { percentIssue, readPercent } from "../elements/percentage.ts";
import { ownMember } from "../own-member.ts";
import type { Variants } from "../requests/shown.ts";
import { percent } from "../words/format.ts";
import { totalAfter, totalOf } from "../words/weights.ts";

type Variant = Variants[string];

interface VariantsProps {
  /** The JSON Pointer to the variants. */
  base: string;
  /** The place of the variants in words. */
  where: string;
  before: Variants;
  after: Variants;
  /** Whether the draft is an undo. */
  isUndo: boolean;
  /** False for the variants of a strategy, which keep their order. */
  isSorted: boolean;
  colourOf(name: string): string;
  edit(operations: readonly Operation[]): void;
}

export function VariantRows({ base, where, before, after, isUndo, isSorted, colourOf, edit }: VariantsProps) {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  if (isSorted) names.sort((one, other) => one.localeCompare(other, "en"));
  const shareBefore = shareOf(before, totalOf(before));
  const shareAfter = shareOf(after, totalAfter(before, after, isUndo));
  const variable = Object.values(after).filter(({ weightType }) => weightType === "variable");
  return (
    <div class="variants">
      {Object.keys(after).length > 0 && weightBar(weightList(after), colourOf)}
      <ul>
        {names.map((name) => (
          <VariantRow
            key={name}
            {...{ name, where, base, edit }}
            taken={Object.keys(after)}
            before={ownMember(before, name)}
            after={ownMember(after, name)}
            shares={{ before: shareBefore(name), after: shareAfter(name) }}
            colour={colourOf(name)}
            isRest={variable.length === 1 && ownMember(after, name)?.weightType === "variable"}
          />
        ))}
      </ul>
      <Opening name="Add a variant">
        {(close) => <AddVariant {...{ base, edit, close }} taken={Object.keys(after)} />}
      </Opening>
    </div>
  );
}

interface AddProps extends Pick<VariantsProps, "base" | "edit"> {
  /** The names of the variants. */
  taken: readonly string[];
  close(): void;
}

/** Refuses the name of another variant, because an operation would replace that with all that it has. */
function takenNameIssue(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? `There is a variant ${name} already.` : "";
}

function AddVariant({ base, edit, taken, close }: AddProps) {
  const [error, setError] = useState("");
  const add = ({ name = "", weight = "" }: Record<string, string>) => {
    const isFixed = weight.trim() !== "";
    const issue = takenNameIssue(name, taken) || (isFixed ? percentIssue(weight) : "");
    setError(issue);
    if (issue) return;
    const value = {
      weight: isFixed ? Math.round(readPercent(weight) * 10) : 0,
      weightType: isFixed ? "fix" : "variable",
      stickiness: "default",
    };
    edit([{ op: "add", path: base + formatPointer([name]), value }]);
    close();
  };
  return (
    <form class="line" autocomplete="off" onSubmit={(event) => add(fieldsOf(event))}>
      <input
        name="name"
        required
        maxLength={limits.urlFriendlyNameLength}
        placeholder="name"
        aria-label="Name"
      />
      {/* The first variant gets everything. */}
      {taken.length > 0 && (
        <input
          class="pct"
          name="weight"
          placeholder="share"
          aria-label="Percent, or empty for an even share"
          aria-invalid={error !== ""}
        />
      )}
      <button type="submit">Add</button>
      {button("Cancel", close)}
      <Failed error={error} />
    </form>
  );
}

/** Returns the share of a variant by its name: 0 if the list lacks it. */
function shareOf(variants: Variants, total: number) {
  return (name: string) => (ownMember(variants, name)?.weight ?? 0) / total;
}

function weightList(variants: Variants) {
  return Object.entries(variants).map(([name, { weight }]) => ({ name, weight }));
}

interface VariantRowProps extends Pick<VariantsProps, "base" | "where" | "edit">, Pick<AddProps, "taken"> {
  name: string;
  before: Variant | undefined;
  after: Variant | undefined;
  shares: { before: number; after: number };
  colour: string;
  /** Whether it is the only variable variant, which gets the weight that the others leave. */
  isRest: boolean;
}

function VariantRow({
  name,
  where,
  base,
  taken,
  before,
  after,
  shares,
  colour,
  isRest,
  edit,
}: VariantRowProps) {
  const path = base + formatPointer([name]);
  const mark = !before ? "new" : !after ? "removed" : "";
  if (!after) {
    return (
      <li class="v removed">
        <i class="dot" style={{ background: colour }} />
        <span>
          <del>{text(name)}</del> <small>removed</small>
        </span>
      </li>
    );
  }
  const fixWeight = (percentage: number) =>
    edit([
      ...(after.weightType === "fix" ? [] : [{ op: "replace", path: `${path}/weightType`, value: "fix" }]),
      { op: "replace", path: `${path}/weight`, value: Math.round(percentage * 10) },
    ]);
  const was = percent(shares.before);
  const isMoved = before !== undefined && was !== percent(shares.after);
  const note = restInWords(after);
  const isNoteChanged = before && restInWords(before) !== note;
  return (
    <li class={`v ${mark}`}>
      <i class="dot" style={{ background: colour }} />
      <span class="grow">
        {text(name)} <small>{isMoved ? `was ${was}` : mark}</small>
        {note && <small class={isNoteChanged ? "note changed" : "note"}>{text(note)}</small>}
      </span>
      <PercentField
        label={printable(`Percent of ${name} in ${where}`)}
        value={shares.after * 100}
        isReadOnly={isRest}
        commit={fixWeight}
      />
      <Choice
        label={`How ${name} gets its share in ${where}`}
        value={isRest ? "rest" : after.weightType}
        choices={isRest ? { rest: "the rest" } : { variable: "shares", fix: "fixed" }}
        choose={(value) => edit([{ op: "replace", path: `${path}/weightType`, value }])}
        title="fixed: exactly this percentage; shares: an even part of what the fixed variants leave; the rest: all that they leave"
      />
      <details class="more">
        <summary aria-label={printable(`More of ${name} in ${where}`)}>⋯</summary>
        <VariantDetails {...{ name, base, path, taken, after, edit }} />
      </details>
    </li>
  );
}

/** "by userId · country DE, AT · json {}": what a variant has besides its name and its weight; or "". */
function restInWords({ payload, stickiness, overrides = [] }: Variant): string {
  const parts = [
    ...(stickiness === "default" ? [] : [`by ${stickiness}`]),
    ...overrides.map(({ contextName, values }) => `${contextName} ${values.join(", ")}`),
    ...(payload ? [`${payload.type} ${payload.value}`] : []),
  ];
  return parts.join(" · ");
}

function VariantDetails({
  name,
  base,
  path,
  taken,
  after,
  edit,
}: Pick<VariantRowProps, "name" | "base" | "taken" | "edit"> & {
  path: string;
  after: Variant;
}) {
  const set = (member: string, value: unknown) =>
    edit([{ op: "add", path: path + formatPointer([member]), value }]);
  const { payload, stickiness } = after;
  /** The type of the payload that the user adds. */
  const [typeOfNew, setTypeOfNew] = useState("string");
  const type = payload?.type ?? typeOfNew;
  return (
    <div class="fields">
      <span class="field">
        Name
        <Field
          label={`Name of ${name}`}
          value={name}
          issueOf={(given) => takenNameIssue(given, taken)}
          commit={(value) => value && edit([{ op: "move", from: path, path: base + formatPointer([value]) }])}
        />
      </span>
      <span class="field">
        Stickiness
        <Field
          label={`Stickiness of ${name}`}
          value={stickiness}
          commit={(value) => set("stickiness", value || "default")}
        />
      </span>
      <span class="field">
        Payload
        <span class="line">
          <Choice
            label={`Type of the payload of ${name}`}
            value={type}
            choices={{ [type]: type, string: "string", json: "json", csv: "csv", number: "number" }}
            choose={(value) => (payload ? set("payload", { ...payload, type: value }) : setTypeOfNew(value))}
          />
          <Field
            label={`Payload of ${name}`}
            value={payload?.value ?? ""}
            commit={(value) =>
              value ? set("payload", { type, value }) : edit([{ op: "remove", path: `${path}/payload` }])
            }
          />
        </span>
      </span>
      {button(`Remove ${name}`, () => edit([{ op: "remove", path }]), { class: "danger" })}
    </div>
  );
}
