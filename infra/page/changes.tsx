/** Draws the last changes of a feature: what each did, what has undone it, and what can be done about it. */
import type { ListedChange } from "../../lib/contract/changes.ts";
import type { Actions, ListedDifference } from "./actions.ts";
import { button, text } from "./controls.tsx";
import { requestsToMakeAgain } from "./make-again.ts";
import type { Preview } from "./preview.ts";
import type { EnvironmentOutcome } from "./send.ts";

export function changeList({ history, stored, draft }: Preview, actions: Actions) {
  const { changes = [], more } = history ?? {};
  const all = stored.map(({ environment }) => environment);
  const tops = topsOf(changes);
  return (
    <section class="card" id="changes" aria-label="Last changes">
      <h2>Last changes</h2>
      {changes.length === 0 && <p>{history ? "None is kept." : "They could not be read."}</p>}
      <ol>
        {changes.map((change) => (
          <li key={change.id}>
            <strong>{text(titleOf(change))}</strong>
            <small>{text(change.id)}</small>
            {undoButtons(change, tops, draft.environment, all, actions)}
            {makeAgainButtons(change, stored, actions)}
            {change.reason && <blockquote>{text(change.reason)}</blockquote>}
            {change.undoes && <p>{text(`It undoes ${change.undoes}.`)}</p>}
            {undone(change).map((sentence) => (
              <p key={sentence}>{text(sentence)}</p>
            ))}
            {change.environments.map(({ environment, difference }) => (
              <p key={environment}>
                <small>{text(environment)}</small>
                {difference.map(operation)}
              </p>
            ))}
          </li>
        ))}
      </ol>
      {more && <p>Older changes are kept too.</p>}
    </section>
  );
}

type Tops = ReadonlyMap<string, string>;

/** By environment: the id of the newest change in effect there. */
function topsOf(changes: readonly ListedChange[]): Tops {
  return new Map(
    changes.flatMap(({ id, environments }) =>
      environments.filter(({ isTop }) => isTop).map(({ environment }) => [environment, id] as const),
    ),
  );
}

/** "production", "development, staging" or "all 3 environments". */
export function namePlace(names: readonly string[], all: readonly string[]): string {
  return names.length > 1 && names.length === all.length
    ? `all ${all.length} environments`
    : names.join(", ");
}

/**
 * One request undoes the change in every environment, if nothing newer stands on it in one of them. Where it is on top it
 * can be undone alone: that is offered where the field has the environment, and where there is no other way.
 */
function undoButtons(change: ListedChange, tops: Tops, scope: string, all: string[], { undo }: Actions) {
  const undoable = namesOf(change, ({ canUndo }) => canUndo);
  const onTop = namesOf(change, ({ environment }) => tops.get(environment) === change.id);
  const together = undoable.length > 1 ? [{ where: undoable, environment: "" }] : [];
  const alone = onTop.filter((name) => together.length === 0 || name === scope);
  return [...together, ...alone.map((name) => ({ where: [name], environment: name }))].map(
    ({ where, environment }) => {
      const label = `Undo in ${namePlace(where, all)}`;
      const run = () => undo(change.id, environment);
      return button(`${label}: ${titleOf(change)}`, run, { children: label, key: label });
    },
  );
}

function makeAgainButtons(change: ListedChange, stored: EnvironmentOutcome[], { makeAgain }: Actions) {
  const all = stored.map(({ environment }) => environment);
  return requestsToMakeAgain(change, stored).map(({ names, environment, difference }) => {
    const label = `Make again in ${namePlace(names, all)}`;
    const run = () => makeAgain(difference, environment);
    return button(`${label}: ${titleOf(change)}`, run, { children: label, key: label });
  });
}

type Made = ListedChange["environments"][number];

function namesOf({ environments }: ListedChange, isWanted: (made: Made) => boolean): string[] {
  return environments.filter(isWanted).map(({ environment }) => environment);
}

function undone(change: ListedChange): string[] {
  const ids = new Set(change.environments.flatMap(({ undoneBy }) => undoneBy ?? []));
  return [...ids].map((id) => {
    const names = namesOf(change, ({ undoneBy }) => undoneBy === id);
    const isEverywhere = names.length === change.environments.length;
    return `Undone by ${id}${isEverywhere ? "" : ` in ${names.join(", ")}`}.`;
  });
}

function operation({ op, path, value }: ListedDifference[number]) {
  if (path === "/enabled") return <code key={path}>{value === true ? "switched on" : "switched off"}</code>;
  const line = `${op} ${path}${value === undefined ? "" : ` ${JSON.stringify(value)}`}`;
  return <code key={line}>{text(line)}</code>;
}

export function titleOf({ undoes, by, at }: ListedChange): string {
  const time = new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
  return `${undoes === undefined ? "Change" : "Undo"} by ${by}, ${time}`;
}
