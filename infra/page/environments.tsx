/** Draws environments side by side, each variant before and after a patch. What stays as it is takes one line. */
import { printable } from "../cli/printable.ts";
import { stack, switchButton } from "./bars.tsx";
import { coloursOf } from "./colours.ts";
import { type Column, membersOf, namesThatStay, toColumn, variantNames } from "./columns.ts";
import { text } from "./controls.tsx";
import type { PatchRequest } from "./request.ts";
import type { EnvironmentOutcome } from "./send.ts";
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
  before: EnvironmentOutcome[],
  after: EnvironmentOutcome[],
  request: PatchRequest,
  look: Look = {},
) {
  const { note = "", isUnfolded = false, isOld = false, press } = look;
  const columns = before.map((stored) => toColumn(stored, after, request));
  const folded = isUnfolded ? new Set<string>() : namesThatStay(columns);
  const rows = variantNames(columns).filter((name) => !folded.has(name));
  const isPlan = columns.some(({ outcome }) => outcome !== "unchanged");
  const colourOf = coloursOf(variantNames(columns));
  const label = ({ environment }: EnvironmentOutcome) => printable(environment) + note;
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
