/** A fold with the change that is being written as a JSON Patch, as a curl command, and as a link to propose it. */
import { useState } from "preact/hooks";
import type { App } from "./app.ts";
import { Choice, CopyButton } from "./controls.tsx";
import type { Flag } from "./load.ts";
import { planOf, type State, shownDraft } from "./page-state.ts";
import { formatted } from "./patch.ts";
import { linkToDraft } from "./proposal.ts";
import { longestLink } from "./proposal-link.ts";
import { toCurl } from "./request.ts";

export function PatchText({ app, state, flag }: { app: App; state: State; flag: Flag }) {
  const [chosen, choose] = useState("");
  const draft = shownDraft(state);
  const plan = planOf(state, draft);
  const isPatch = draft !== undefined && draft.undo === "";
  const environment = isPatch ? draft.environment : chosen;
  const names = flag.environments.map((each) => each.environment);
  const write = (text: string) => (isPatch ? app.change({ text }) : app.write(environment, text));
  const scope = (name: string) => {
    choose(name);
    if (isPatch) app.change({ environment: name });
  };
  const link = isPatch && plan ? linkToDraft(draft, plan.etag) : undefined;
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
          choose={scope}
        />
        {plan && plan.error === "" && draft && (
          <>
            <CopyButton name="Copy as curl" value={toCurl(draft, plan.etag)} />
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
        aria-invalid={isPatch && plan?.error ? "true" : "false"}
        value={isPatch ? draft.text : "[]"}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onPaste={({ currentTarget }) => setTimeout(() => write(formatted(currentTarget.value)))}
      />
    </details>
  );
}
