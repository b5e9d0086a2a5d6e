/** Shows the draft as a JSON Patch that can be edited, as a curl command, and as the link of a proposal. */
import { useState } from "preact/hooks";
import type { App } from "../app.ts";
import { etagRequiredBy, toCurl } from "../draft/draft.ts";
import { formatted } from "../draft/patch.ts";
import { linkToDraft } from "../draft/proposal.ts";
import { longestLink } from "../draft/proposal-link.ts";
import { Choice, CopyButton } from "../elements/controls.tsx";
import { dryRunOf, type PageState, shownDraft } from "../page-state.ts";
import type { ShownFeature } from "../requests/shown.ts";

export function PatchText({
  app,
  state,
  shownFeature,
}: {
  app: App;
  state: PageState;
  shownFeature: ShownFeature;
}) {
  const [chosen, setChosen] = useState("");
  const draft = shownDraft(state);
  const reply = dryRunOf(state, draft);
  const preview = reply?.kind === "preview" ? reply : undefined;
  const isPatch = draft !== undefined && draft.undo === "";
  const environment = isPatch ? draft.environment : chosen;
  const names = shownFeature.environments.map((each) => each.environment);
  const edit = (text: string) => (isPatch ? app.editDraft({ text }) : app.draftPatch(environment, text));
  const chooseEnvironment = (name: string) => {
    setChosen(name);
    if (isPatch) app.editDraft({ environment: name });
  };
  const etag = draft && preview ? etagRequiredBy(draft, preview.etag) : "";
  const link = isPatch && preview ? linkToDraft(draft, etag) : undefined;
  return (
    <details id="json">
      <summary>As JSON</summary>
      <div class="line">
        <Choice
          label="Environment"
          value={environment}
          choices={{
            "": "every environment, in order",
            ...Object.fromEntries(names.map((name) => [name, name])),
          }}
          choose={chooseEnvironment}
        />
        {preview && draft && (
          <>
            <CopyButton name="Copy as curl" value={toCurl(draft, etag)} />
            {isPatch && link && <CopyButton name="Copy a link to this proposal" value={link} />}
            {isPatch && !link && (
              <small>A link to this proposal would have more than {longestLink} characters.</small>
            )}
          </>
        )}
      </div>
      <textarea
        rows={6}
        aria-label="JSON Patch"
        aria-describedby="result"
        aria-invalid={isPatch && reply && !preview ? "true" : "false"}
        value={isPatch ? draft.text : "[]"}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
        onPaste={({ currentTarget }) => setTimeout(() => edit(formatted(currentTarget.value)))}
      />
    </details>
  );
}
