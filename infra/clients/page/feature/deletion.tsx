/** Draws the question whether to delete a feature, and the offer to restore one. */
import { useRef, useState } from "preact/hooks";
import { limits } from "../../../../lib/contract/limits.ts";
import { usersInWords } from "../../words/users-in-words.ts";
import type { App } from "../app.ts";
import { toRowContent } from "../board/board-state.ts";
import { newPageId } from "../draft/draft.ts";
import { button, Failed, fieldsOf, Opening, text, useError } from "../elements/controls.tsx";
import type { Deleted } from "../page-state.ts";
import type { FeaturePlace, ShownFeature } from "../requests/shown.ts";
import { listOf } from "../words/format.ts";

export function DeleteFeature({ shownFeature, app }: { shownFeature: ShownFeature; app: App }) {
  return (
    <p class="line">
      <Opening name="Delete flag">{(close) => <Question {...{ shownFeature, app, close }} />}</Opening>
    </p>
  );
}

function Question({ shownFeature, app, close }: { shownFeature: ShownFeature; app: App; close(): void }) {
  const [error, setError] = useError(app.state.key);
  const submitButton = useRef<HTMLButtonElement>(null);
  const submit = async (event: SubmitEvent) => {
    setError(await app.deleteFeature(fieldsOf(event).reason ?? ""));
    // The form was inert while the request ran, and has lost the focus.
    submitButton.current?.focus();
  };
  return (
    <form class="card" autocomplete="off" onSubmit={submit}>
      <p>
        <strong>{text(`Delete ${shownFeature.name}? ${whereOn(shownFeature)}`)}</strong> SDKs use their
        default from then on. It can be restored for {limits.keptDays} days, without its list of changes.
      </p>
      <div class="line">
        <input
          name="reason"
          maxLength={limits.reasonLength}
          placeholder="why (optional)"
          aria-label="Why it is deleted"
        />
        <button ref={submitButton} type="submit" class="primary failed" disabled={shownFeature.etag === ""}>
          Delete it
        </button>
        {button("Cancel", close)}
      </div>
      <Failed error={error} />
    </form>
  );
}

/** "It is on in staging (everyone) and production (25 % by userId)." */
function whereOn({ environments }: ShownFeature): string {
  const on = environments.filter(({ enabled }) => enabled);
  if (on.length === 0) return "It is off everywhere.";
  const places = on.map((each) => `${each.environment} (${usersInWords(toRowContent(each))})`);
  return `It is on in ${listOf(places)}.`;
}

/** Offers to restore what was deleted. */
export function DeletedNotice({ app, deleted }: { app: App; deleted: Deleted }) {
  const [error, setError] = useError(app.state.key);
  const [idempotencyKey] = useState(newPageId);
  const restore = async () => setError(await app.restoreFeature(deleted, idempotencyKey));
  const until = new Date(deleted.restorableUntil).toLocaleDateString("en", { dateStyle: "medium" });
  return (
    <div class="card" id="deleted" role="status">
      <p>
        {text(`${deleted.feature} was deleted. It can be restored until ${until}.`)}{" "}
        {button("Restore", restore, { class: "primary" })} {button("Close", () => app.closeMessages())}
      </p>
      <Failed error={error} />
    </div>
  );
}

interface NameFormProps {
  label: string;
  action: string;
  apiKey: string;
  project: string;
  /** Returns why it failed, or "". */
  send(place: FeaturePlace, idempotencyKey: string): Promise<string>;
  close(): void;
}

/** Asks for the name of a feature that is not on the board. When it is submitted again, it retries: its idempotency key stays. */
export function NameForm({ label, action, apiKey, project, send, close }: NameFormProps) {
  const [error, setError] = useError(apiKey);
  const [idempotencyKey] = useState(newPageId);
  const submit = async (event: SubmitEvent) => {
    const { name: feature = "" } = fieldsOf(event);
    const failed = await send({ project, feature }, idempotencyKey);
    setError(failed);
    if (!failed) close();
  };
  return (
    <form class="line" autocomplete="off" onSubmit={submit}>
      <input
        name="name"
        required
        maxLength={limits.urlFriendlyNameLength}
        placeholder="its name"
        aria-label={label}
      />
      <button type="submit" class="primary">
        {action}
      </button>
      {button("Cancel", close)}
      <Failed error={error} />
    </form>
  );
}
