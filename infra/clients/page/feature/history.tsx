/** Draws the newest changes of a feature as sentences, with buttons that undo them or make them again. */
import { limits } from "../../../../lib/contract/limits.ts";
import type { ListedChange, ListedEnvironmentChange } from "../../../../lib/contract/responses/changes.ts";
import { printable } from "../../../cli/printable.ts";
import { lastWriteOf } from "../../words/last-write.ts";
import type { App } from "../app.ts";
import { button, text } from "../elements/controls.tsx";
import type { ShownFeature } from "../requests/shown.ts";
import { ago } from "../words/format.ts";
import { movedInWords } from "../words/movers-in-words.ts";
import { changeInWords } from "../words/sentences.ts";

const noChanges = `No changes in the last ${limits.keptDays} days, since the flag was created or restored.`;

export function ChangeList({ shownFeature, app }: { shownFeature: ShownFeature; app: App }) {
  const { history } = shownFeature;
  const { changes = [], more } = history ?? {};
  return (
    <section id="changes" aria-label="Last changes">
      <h2>Last changes</h2>
      {changes.length === 0 && <p>{history ? noChanges : "The changes could not be read."}</p>}
      {changes.length > 0 && (
        <ol class="card log">
          {changes.map((change) => (
            <ChangeEntry key={change.id} {...{ change, shownFeature, app }} />
          ))}
        </ol>
      )}
      {more && <p>Older changes are not shown.</p>}
    </section>
  );
}

function ChangeEntry({
  change,
  shownFeature,
  app,
}: {
  change: ListedChange;
  shownFeature: ShownFeature;
  app: App;
}) {
  const { by, at: _, reason, guard: __, environments, id, undoes, ...others } = change;
  // Each stored option of a change is shown: the guard by `guardText`.
  others satisfies Record<string, never>;
  const now = Date.now();
  const time = lastWriteOf(change);
  const sentence = changeInWords(change, shownFeature.environments);
  const moved = movedInWords(environments.map(({ moves = [] }) => moves));
  const undone = environments.filter(({ undoneBy }) => undoneBy !== undefined);
  const name = `${by} ${sentence}, ${ago(time, now)}`;
  return (
    <li>
      <time dateTime={time} title={new Date(time).toLocaleString("en")}>
        {ago(time, now)}
      </time>
      <details class="grow">
        <summary>
          <strong>{text(by)}</strong>{" "}
          {undone.length === environments.length ? <del>{text(sentence)}</del> : text(sentence)}
          {reason && <q>{text(reason)}</q>}
          {moved && <small>{moved}</small>}
          {undone.length > 0 && <small>undone</small>}
        </summary>
        <p>
          <small>
            {new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" })}, change{" "}
            {text(id)}
            {undoes && text(`, undoes ${undoes}`)}
          </small>
        </p>
        {environments.map(({ environment, difference, undoneBy }) => (
          <p key={environment}>
            <small>{text(environment)}</small>
            {difference.map((operation) => (
              <code key={operation.path}>{text(JSON.stringify(operation))}</code>
            ))}
            {undoneBy && <small>{text(`undone by ${undoneBy}`)}</small>}
            {undoes === undefined &&
              undoneBy &&
              button(`Make again in ${environment}: ${name}`, () => app.draftPatch(environment, difference), {
                children: "Make again",
              })}
          </p>
        ))}
      </details>
      {guardText(change, now) && <span class="guard">{text(guardText(change, now))}</span>}
      {undoButtons(change).map(({ environment, label }) =>
        button(`${label}: ${name}`, () => app.draftUndo(id, environment, shownFeature.name), {
          children: printable(label),
          key: label,
          class: "undo",
        }),
      )}
    </li>
  );
}

/** "guarded by errors, 12 min left", for the environment that is guarded longest; or "". */
function guardText({ guard = "", environments }: ListedChange, now: number): string {
  const until = Math.max(...environments.map(({ guardedUntil = "" }) => Date.parse(guardedUntil) || 0));
  const minutes = Math.ceil((until - now) / 60_000);
  return minutes > 0 ? `guarded by ${guard}, ${minutes} min left` : "";
}

/** One button where one request can undo the change everywhere; otherwise a button for each environment where it is on top. */
function undoButtons({ environments }: ListedChange): { environment: string; label: string }[] {
  const namesWhere = (isWanted: (change: ListedEnvironmentChange) => boolean) =>
    environments.filter(isWanted).map(({ environment }) => environment);
  const together = namesWhere(({ canUndo }) => canUndo);
  if (together.length > 1) return [{ environment: "", label: "Undo" }];
  const alone = namesWhere(({ isTop }) => isTop);
  return alone.map((environment) => ({
    environment,
    label: environments.length > 1 ? `Undo in ${environment}` : "Undo",
  }));
}
