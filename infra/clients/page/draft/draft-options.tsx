/** Edits the options of a draft: its reason, its guard and its limit of moves. */
import { limits } from "../../../../lib/contract/limits.ts";
import { guardMinutes } from "../../api/headers.ts";
import { nameIssue } from "../../api/name-issue.ts";
import type { App } from "../app.ts";
import { Choice } from "../elements/controls.tsx";
import { Field } from "../elements/fields.tsx";
import { percentIssue, readPercent } from "../elements/percentage.ts";
import { type Draft, switchOf } from "./draft.ts";

export function DraftOptions({ draft, app }: { draft: Draft; app: App }) {
  return (
    <>
      <label class="line">
        Why
        <input
          name="reason"
          maxLength={limits.reasonLength}
          placeholder="for the list of changes"
          value={draft.reason}
          onInput={({ currentTarget }) => app.editDraft({ reason: currentTarget.value })}
        />
      </label>
      {!draft.undo && (
        <span class="field">
          Undo if this guard is tripped
          <Field
            label="Name of the guard"
            placeholder="none"
            value={draft.guard}
            issueOf={guardIssue}
            commit={(guard) => app.editDraft({ guard })}
          />
        </span>
      )}
      {draft.guard && !draft.undo && (
        <Choice
          label="For how long"
          value={draft.minutes}
          choices={{
            [draft.minutes]: `${draft.minutes} min`,
            10: "10 min",
            [guardMinutes.usual]: `${guardMinutes.usual} min`,
            60: "1 h",
            [guardMinutes.most]: `${guardMinutes.most / 60} h`,
          }}
          choose={(minutes) => app.editDraft({ minutes })}
        />
      )}
      {!switchOf(draft) && (
        <span class="field">
          At most
          <Field
            label="Percent of users that may get something else"
            placeholder="any"
            class="pct"
            value={draft.mostMoves && `${draft.mostMoves} %`}
            issueOf={(given) => given && percentIssue(given)}
            commit={(given) => app.editDraft({ mostMoves: given && String(readPercent(given)) })}
          />
          of users get something else
        </span>
      )}
    </>
  );
}

function guardIssue(name: string): string {
  const issue = name === "" ? "" : nameIssue(name);
  return issue && `It ${issue}.`;
}
