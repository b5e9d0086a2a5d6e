/** Draws the last changes of a feature, with what each did. */
import type { ListedChange } from "../../lib/contract/responses.ts";
import type { Preview } from "./api.ts";
import { type Actions, button, text } from "./controls.tsx";

export function changeList({ changes, draft: { environment: scope } }: Preview, { undo }: Actions) {
  return (
    <section class="card" id="changes" aria-label="Last changes">
      <h2>Last changes</h2>
      {!changes?.length && <p>{changes ? "None is kept." : "They could not be read."}</p>}
      <ol>
        {changes?.map((change) => (
          <li key={change.id}>
            <strong>{text(titleOf(change))}</strong>
            {change.environments.some((each) => each.canUndo && ["", each.environment].includes(scope)) &&
              button(`Undo: ${titleOf(change)}`, () => undo(change.id, scope), {
                children: "Undo",
              })}
            {change.reason && <blockquote>{text(change.reason)}</blockquote>}
            {change.environments.map(({ environment, changes: done }) => (
              <p key={environment}>
                <small>{text(environment)}</small>
                {done ? done.map(operation) : <small>What it did is not known any more.</small>}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

function operation({ op, path, value }: NonNullable<ListedChange["environments"][0]["changes"]>[0]) {
  const line = `${op} ${path}${value === undefined ? "" : ` ${JSON.stringify(value)}`}`;
  return <code key={line}>{text(line)}</code>;
}

export function titleOf({ undoes, by, at }: ListedChange): string {
  const time = new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
  return `${undoes === undefined ? "Change" : "Undo"} by ${by}, ${time}`;
}
