/** Draws the last changes of a feature: what each did, what has undone it, and what can be done about it. */
import type { ListedChange } from "../../lib/contract/responses.ts";
import type { Preview } from "./api.ts";
import { type Actions, button, type Difference, text } from "./controls.tsx";

export function changeList({ history, stored, draft }: Preview, actions: Actions) {
  const { changes = [], more } = history ?? {};
  return (
    <section class="card" id="changes" aria-label="Last changes">
      <h2>Last changes</h2>
      {changes.length === 0 && <p>{history ? "None is kept." : "They could not be read."}</p>}
      <ol>
        {changes.map((change) => (
          <li key={change.id}>
            <strong>{text(titleOf(change))}</strong>
            <small>{text(change.id)}</small>
            {buttons(change, draft.environment, stored.length, actions)}
            {change.reason && <blockquote>{text(change.reason)}</blockquote>}
            {change.undoes && <p>{text(`It undoes ${change.undoes}.`)}</p>}
            {undone(change).map((sentence) => (
              <p key={sentence}>{text(sentence)}</p>
            ))}
            {change.environments.map(({ environment, changes: difference }) => (
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

function buttons(change: ListedChange, scope: string, environments: number, actions: Actions) {
  const title = titleOf(change);
  const { undo, makeAgain } = actions;
  const inScope = change.environments.filter((each) => ["", each.environment].includes(scope));
  return (
    <>
      {inScope.some(({ canUndo }) => canUndo) &&
        button(`Undo: ${title}`, () => undo(change.id, scope), { children: "Undo" })}
      {toMakeAgain(change, scope, environments).map(({ environment, difference }) => {
        const label = environment === scope ? "Make again" : `Make again in ${environment}`;
        const run = () => makeAgain(difference, environment);
        return button(`${label}: ${title}`, run, { children: label, key: environment });
      })}
    </>
  );
}

/** An undo, or what was undone: for all environments together if it did the same in each, otherwise for each alone. */
function toMakeAgain({ undoes, environments }: ListedChange, scope: string, count: number) {
  const inScope = environments.filter((each) => ["", each.environment].includes(scope));
  const wanted = inScope.filter(({ undoneBy }) => undoes !== undefined || undoneBy !== undefined);
  const differences = new Set(wanted.map(({ changes }) => JSON.stringify(changes)));
  const isOne = differences.size === 1 && (scope !== "" || wanted.length === count);
  const each: { environment: string; difference: Difference }[] = wanted.map(({ environment, changes }) => ({
    environment: isOne ? scope : environment,
    difference: changes,
  }));
  return isOne ? each.slice(0, 1) : each;
}

function undone({ environments }: ListedChange): string[] {
  const ids = new Set(environments.flatMap(({ undoneBy }) => undoneBy ?? []));
  return [...ids].map((id) => {
    const where = environments.filter(({ undoneBy }) => undoneBy === id);
    const names = where.map(({ environment }) => environment).join(", ");
    return `Undone by ${id}${where.length === environments.length ? "" : ` in ${names}`}.`;
  });
}

function operation({ op, path, value }: Difference[number]) {
  const line = `${op} ${path}${value === undefined ? "" : ` ${JSON.stringify(value)}`}`;
  return <code key={line}>{text(line)}</code>;
}

export function titleOf({ undoes, by, at }: ListedChange): string {
  const time = new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
  return `${undoes === undefined ? "Change" : "Undo"} by ${by}, ${time}`;
}
