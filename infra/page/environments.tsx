/** Draws environments side by side, each variant before and after a patch. What stays as it is takes one line. */
import type { Variant } from "../../lib/contract/variants.ts";
import { printable } from "../cli/printable.ts";
import { type Environment, named } from "./api.ts";
import { stack, switchButton } from "./bars.tsx";
import { coloursOf } from "./colours.ts";
import { text } from "./controls.tsx";
import { applied, readPatch } from "./patch.ts";
import { isPatch, type PatchRequest } from "./request.ts";
import { atOperation } from "./verdict.ts";

interface Look {
  /** Without it the switches are shown as words. */
  press?(environment: string, enabled: boolean): void;
  /** After the name of each environment. */
  note?: string;
  isUnfolded?: boolean;
  isOld?: boolean | undefined;
}

export function environments(
  before: Environment[],
  after: Environment[],
  request: PatchRequest,
  look: Look = {},
) {
  const { note = "", isUnfolded = false, isOld = false, press } = look;
  const columns = before.map((stored) => toColumn(stored, after, request));
  const folded = isUnfolded ? new Set<string>() : namesThatStay(columns);
  const rows = namesIn(columns).filter((name) => !folded.has(name));
  const isPlan = columns.some(({ outcome }) => outcome !== "unchanged");
  const colourOf = coloursOf(namesIn(columns));
  const label = ({ environment }: Environment) => printable(environment) + note;
  return (
    <div class={isOld ? "environments old" : "environments"} style={{ "--rows": rows.length + 1 }}>
      {columns.map((column) => (
        <section key={column.environment} class={column.outcome} aria-label={label(column)}>
          <header>
            {column.was !== undefined &&
              press &&
              switchButton({
                label: `${request.feature} in ${column.environment}`,
                enabled: column.was,
                isAsked: column.enabled !== column.was,
                press: () => press(column.environment, !column.was),
              })}
            <h3>{text(column.environment)}</h3>
            {column.was !== undefined && (
              <small class="state">{change(onOff(column.was), onOff(column.enabled))}</small>
            )}
            {isPlan && <mark class={column.outcome}>{column.outcome}</mark>}
            {column.message && !atOperation.test(column.message) && <p>{text(column.message)}</p>}
            {column.hint && <small>{text(column.hint)}</small>}
            {column.after.length > 0 && stack(column.after, colourOf)}
          </header>
          <ol>{rows.map((name) => row(name, column, columns[0] ?? column, colourOf(name)))}</ol>
        </section>
      ))}
    </div>
  );
}

/** The variants that are folded: those that a patch of others leaves as they are in every environment. */
export function foldedNames(before: Environment[], after: Environment[], request: PatchRequest): Set<string> {
  return namesThatStay(before.map((stored) => toColumn(stored, after, request)));
}

type Column = ReturnType<typeof toColumn>;

/** `written` is what the patch leaves, before normalisation. */
function toColumn(stored: Environment, plan: Environment[], { text, form, change, switchTo }: PatchRequest) {
  const planned = named(plan, stored.environment) ?? stored;
  const isWritten = planned.outcome === "will be patched" && isPatch({ change, switchTo });
  const written = isWritten ? applied(stored.variants, readPatch(text), form) : [];
  const after = planned.outcome === "not attempted" ? stored.variants : planned.variants;
  const { enabled: was } = stored;
  const enabled = planned.outcome === "will be patched" ? (planned.enabled ?? was) : was;
  return { ...planned, was, enabled, before: stored.variants, after, written, isByIndex: form === "index" };
}

function namesIn(columns: readonly Column[]): string[] {
  const names = columns.flatMap(({ before, after }) => [...before, ...after].map(({ name }) => name));
  return [...new Set(names)].sort((left, right) => left.localeCompare(right, "en"));
}

/** Empty where nothing changes. */
function namesThatStay(columns: readonly Column[]): Set<string> {
  const stays = (name: string) =>
    columns.every(({ before, after }) => {
      const [was, is] = [before, after].map((list) => list.find((each) => each.name === name));
      return JSON.stringify(was) === JSON.stringify(is);
    });
  const names = namesIn(columns);
  const staying = names.filter(stays);
  return new Set(staying.length < names.length ? staying : []);
}

/** A variant in an environment, compared with what the first environment has. */
function row(name: string, column: Column, first: Column, colour: string) {
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
  const others = members.slice(2);
  const lines = others.map((member) => (
    <p key={member}>
      <small>{text(member)}</small> {change(before && shown(was, member), shown(is, member))}
    </p>
  ));
  return (
    <li key={name} class={mark || undefined}>
      <p>
        {column.isByIndex && before && <code>/{column.before.indexOf(before)}</code>}
        <i class="dot" style={{ background: colour }} />
        <strong>{text(name)}</strong>
        {isFix && <mark>{change(was.weightType, shown(is, "weightType"))}</mark>}
        {mark && <mark class={mark}>{mark}</mark>}
        <span class="weight">{change(was.weight, shown(is, "weight"))}</span>
      </p>
      {mark || others.length === 0 ? (
        lines
      ) : (
        <details>
          <summary>{text(others.join(", "))}</summary>
          {lines}
        </details>
      )}
      {notes.map((note) => note && <small key={note}>{text(note)}</small>)}
    </li>
  );
}

const onOff = (enabled: boolean | undefined) => (enabled ? "on" : "off");

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
  const { name: _, weight, weightType, stickiness, payload, overrides = [], ...rest } = variant;
  rest satisfies Record<string, never>;
  const lines = overrides.map(({ contextName, values }) => `${contextName}: ${values.join(", ")}`);
  return {
    weight: String(weight),
    weightType,
    ...(stickiness !== "default" && { stickiness }),
    ...(payload && { [`payload (${payload.type})`]: payload.value }),
    ...(lines.length > 0 && { overrides: lines.join("\n") }),
  };
}
