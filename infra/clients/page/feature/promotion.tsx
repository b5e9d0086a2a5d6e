/** Draws a form that drafts a patch, which copies one environment to another, wholly or in part. */
import { useEffect, useRef, useState } from "preact/hooks";
import { promotionPatch, promotionReason } from "../../api/promotion.ts";
import type { App } from "../app.ts";
import { button, Failed, fieldsOf, options, useError } from "../elements/controls.tsx";
import { inEnvironment } from "../page-state.ts";
import type { ShownAspect, ShownFeature } from "../requests/shown.ts";

/** The checkbox of each aspect. Operations are in this order. */
const parts: Readonly<Record<ShownAspect, string>> = {
  variants: "Variants",
  strategies: "Who gets it",
  dependencies: "Who gets it",
  targeting: "Who gets it",
  enabled: "Switch",
};

const shownAspects = Object.keys(parts) as readonly ShownAspect[];

export function Promotion({
  shownFeature,
  app,
  close,
}: {
  shownFeature: ShownFeature;
  app: App;
  close(): void;
}) {
  const names = shownFeature.environments.map(({ environment }) => environment);
  const [error, setError] = useError(app.state.key);
  const [isReading, setReading] = useState(false);
  const isClosed = useRef(false);
  useEffect(
    () => () => {
      isClosed.current = true;
    },
    [],
  );
  const promote = async ({ from = "", to = "", ...ticked }: Record<string, string>) => {
    if (from === to) return setError("From and to are the same environment; choose two different ones.");
    const wanted = shownAspects.filter((aspect) => ticked[parts[aspect]]);
    if (wanted.length === 0) return setError("Nothing is ticked; tick what to copy.");
    // The source may have changed since it was shown, and the draft's preview would not show that.
    setReading(true);
    const read = await app.readFeature(shownFeature);
    if (isClosed.current) return;
    setReading(false);
    if (read.kind !== "loaded") return setError(read.error);
    const [source, target] = [from, to].map((name) => inEnvironment(read.body.environments, name));
    if (!source || !target) return setError(`There is no environment "${source ? to : from}" any more.`);
    const operations = promotionPatch(wanted, source, target);
    close();
    if (app.state.feature !== shownFeature.name) return;
    const reason = promotionReason(from) ?? "";
    app.draftPatch(to, operations, { reason, readEtag: target.etag });
  };
  return (
    <form class="line" onSubmit={(event) => void promote(fieldsOf(event))}>
      <label class="line">
        From <select name="from">{options(names)}</select>
      </label>
      <label class="line">
        to{" "}
        <select name="to" value={names.at(-1) ?? ""}>
          {options(names)}
        </select>
      </label>
      {[...new Set(Object.values(parts))].map((part) => (
        <label class="line" key={part}>
          <input type="checkbox" name={part} defaultChecked={part !== "Switch"} /> {part}
        </label>
      ))}
      <span class="line">
        <button type="submit" disabled={isReading}>
          Preview
        </button>
        {button("Cancel", close)}
      </span>
      <Failed error={error} />
    </form>
  );
}
