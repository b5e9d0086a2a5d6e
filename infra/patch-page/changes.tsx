/** Draws the last changes of a feature, with what each did and what undid it. */
import type { ListedChange } from "../../lib/contract/responses.ts";
import { named, type Preview } from "./api.ts";
import { button, text } from "./controls.tsx";

export function changeList({ changes }: Preview, undo: (change: string, environment: string) => void) {
  return (
    <section class="card" id="changes" aria-label="Last changes">
      <h2>Last changes</h2>
      {changes.length === 0 && <p>None is kept.</p>}
      <ol>
        {changes.map((change) => (
          <li key={change.id}>
            <strong>{text(titleOf(changes, change))}</strong>
            {change.environments.some(({ canUndo }) => canUndo) && undoButton(changes, change, undo)}
            {change.environments.map(({ environment, changes: done }) => (
              <p key={environment}>
                <small>{text(environment)}</small>
                {stateOf(changes, change, environment)}
                {done ? done.map(operation) : <small>What it did is not known any more.</small>}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

function undoButton(changes: ListedChange[], change: ListedChange, undo: (id: string, all: "") => void) {
  const name = capital(wordsOf(changes, change.id).name);
  const label = `${name}: ${titleOf(changes, change)}`;
  return button(label, () => undo(change.id, ""), { children: name });
}

function operation({ op, path, value }: NonNullable<ListedChange["environments"][0]["changes"]>[0]) {
  const line = `${op} ${path}${value === undefined ? "" : ` ${JSON.stringify(value)}`}`;
  return <code key={line}>{text(line)}</code>;
}

function stateOf(changes: ListedChange[], { id }: ListedChange, environment: string) {
  const undo = undoIn(changes, id, environment);
  return undo && <mark>{text(`${wordsOf(changes, id).done} by ${undo.by}`)}</mark>;
}

export function titleOf(changes: readonly ListedChange[], { undoes, by, at }: ListedChange): string {
  const name = undoes === undefined ? "change" : wordsOf(changes, undoes).name;
  const time = new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
  return `${capital(name)} by ${by}, ${time}`;
}

/** For a patch, or for what undoes the change: the undo of an undo is a redo. */
export function wordsOf(
  changes: readonly ListedChange[],
  change: string,
): { name: "patch" | "undo" | "redo"; done: string } {
  if (change === "") return { name: "patch", done: "applied" };
  const undoes = changes.find(({ id }) => id === change)?.undoes;
  const isRedo = undoes !== undefined && wordsOf(changes, undoes).name === "undo";
  return isRedo ? { name: "redo", done: "redone" } : { name: "undo", done: "undone" };
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Says of each environment that refuses the undo which changes came later. */
export function explained({ draft, plan, changes }: Preview): Preview["plan"] {
  if (draft.change === "") return plan;
  const environments = plan.environments.map((each) => {
    if (each.outcome !== "failed") return each;
    const later = changesAfter(changes, draft.change, each.environment);
    const titles = later.map((change) => titleOf(changes, change)).join("; ");
    return titles ? { ...each, message: `Changed since. Undo this first: ${titles}.` } : each;
  });
  return { ...plan, environments };
}

/** Those in effect. */
function changesAfter(changes: readonly ListedChange[], change: string, environment: string) {
  const later = changes.slice(
    0,
    changes.findIndex(({ id }) => id === change),
  );
  return later.filter(
    ({ id, undoes, environments }) =>
      undoes === undefined && named(environments, environment) && !undoIn(changes, id, environment),
  );
}

/** The undo of the change that is in effect there. */
function undoIn(
  changes: readonly ListedChange[],
  change: string,
  environment: string,
): ListedChange | undefined {
  return changes.find(
    ({ id, undoes, environments }) =>
      undoes === change && named(environments, environment) && !undoIn(changes, id, environment),
  );
}
