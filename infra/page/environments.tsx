/** Draws environments side by side, each variant before and after a patch. */
import type { Variant } from "../../lib/contract/variants.ts";
import { printable } from "../cli/printable.ts";
import { type Environment, named } from "./api.ts";
import { text } from "./controls.tsx";
import { applied, readPatch } from "./patch.ts";
import type { PatchRequest } from "./request.ts";
import { atOperation } from "./verdict.ts";

export function environments(before: Environment[], after: Environment[], request: PatchRequest, note = "") {
  const columns = before.map((stored) => toColumn(stored, after, request));
  const names = columns.flatMap((column) => [...column.before, ...column.after].map(({ name }) => name));
  const rows = [...new Set(names)].sort((left, right) => left.localeCompare(right, "en"));
  const isPatch = columns.some(({ outcome }) => outcome !== "unchanged");
  const label = ({ environment }: Environment) => printable(environment) + note;
  return (
    <div class="environments" style={{ "--rows": rows.length + 1 }}>
      {columns.map((column) => (
        <section key={column.environment} class={column.outcome} aria-label={label(column)}>
          <header>
            <h3>{text(column.environment)}</h3>
            {isPatch && <mark class={column.outcome}>{column.outcome}</mark>}
            {column.message && !atOperation.test(column.message) && <p>{text(column.message)}</p>}
            {column.hint && <small>{text(column.hint)}</small>}
          </header>
          <ol>{rows.map((name) => row(name, column, columns[0] ?? column))}</ol>
        </section>
      ))}
    </div>
  );
}

/** `written` is what the patch leaves, before normalisation. */
function toColumn(stored: Environment, plan: Environment[], { text, form, change }: PatchRequest) {
  const planned = named(plan, stored.environment) ?? stored;
  const isPatch = planned.outcome === "will be patched" && change === "";
  const written = isPatch ? applied(stored.variants, readPatch(text), form) : [];
  const after = planned.outcome === "not attempted" ? stored.variants : planned.variants;
  return { ...planned, before: stored.variants, after, written, isByIndex: form === "index" };
}

/** A variant in an environment, compared with what the first environment has. */
function row(name: string, column: ReturnType<typeof toColumn>, first: typeof column) {
  const lists = [column.before, column.after, column.written, first.after];
  const [before, after, written, other] = lists.map((list) => list.find((variant) => variant.name === name));
  if (!before && !after) return <li key={name}>{other && <small>not in this environment</small>}</li>;
  // A variant that is removed has no new values.
  const [was, is, reference] = [membersOf(before), membersOf(after ?? before), membersOf(other)];
  const differs = Object.keys({ ...reference, ...is }).filter((member) => reference[member] !== is[member]);
  const wrote = written?.weight === before?.weight ? "" : `the patch wrote ${written?.weight}, `;
  const notes = [
    written && written.weight !== after?.weight && `${wrote}normalised`,
    after && differs.length > 0 && `differs from ${first.environment}: ${differs.join(", ")}`,
  ];
  const isFix = [was.weightType, is.weightType].includes("fix");
  const members = Object.keys({ ...was, ...is });
  const isChanged = members.some((member) => was[member] !== is[member]);
  const mark = !before ? "added" : !after ? "removed" : isChanged && "changed";
  return (
    <li key={name} class={mark || undefined}>
      <p>
        {column.isByIndex && before && <code>/{column.before.indexOf(before)}</code>}
        <strong>{text(name)}</strong>
        {isFix && <mark>{change(was.weightType, shown(is, "weightType"))}</mark>}
        {mark && <mark class={mark}>{mark}</mark>}
      </p>
      <p>
        <progress aria-hidden="true" max={1000} value={after?.weight ?? 0} />
        {change(was.weight, shown(is, "weight"))}
      </p>
      {members.slice(2).map((member) => (
        <p key={member}>
          <small>{text(member)}</small> {change(before && shown(was, member), shown(is, member))}
        </p>
      ))}
      {notes.map((note) => note && <small key={note}>{text(note)}</small>)}
    </li>
  );
}

function shown(members: Record<string, string>, member: string): string {
  return members[member] ?? (member === "stickiness" ? "default" : "none");
}

function change(was: string | undefined, is: string) {
  const old = was === undefined || was === is ? [] : [<del key="was">{text(was)}</del>, " → "];
  return <span>{[...old, text(is)]}</span>;
}

/** What is shown of a variant. A default is left out. */
function membersOf(variant: Variant | undefined): Record<string, string> {
  if (!variant) return {};
  const { weight, weightType, stickiness, payload, overrides = [] } = variant;
  const lines = overrides.map(({ contextName, values }) => `${contextName}: ${values.join(", ")}`);
  return {
    weight: String(weight),
    weightType,
    ...(stickiness !== "default" && { stickiness }),
    ...(payload && { [`payload (${payload.type})`]: payload.value }),
    ...(lines.length > 0 && { overrides: lines.join("\n") }),
  };
}
