/** What became of a patch: where it stopped, what changed meanwhile, and how to finish it. */
import { useEffect, useRef } from "preact/hooks";
import { type Environment, type PatchRequest, Problem, toCurl } from "./api.ts";
import { changeLines } from "./compare.ts";
import { Button, text } from "./controls.tsx";
import { type Attempt, isConflict, named, steps, type View } from "./look.ts";

/** Of the last request that was to write. */
export interface Result {
  message: string;
  problem?: Problem;
  /** What was stored when it was sent, as far as the page knew. */
  seen: readonly Environment[];
}

/** What the preview comes to, in a sentence. */
export function summary({ planned, problem, request }: View): string {
  if (problem) return `The patch is refused: ${problem.message}`;
  if (request.patch.length === 0) return "As it is stored. Write a patch to see what it would do.";
  const outcomes = steps(planned);
  const patched = planned.filter((_, index) => outcomes[index] === "patched").map((each) => each.environment);
  const stop = planned[outcomes.indexOf("failed")]?.environment;
  const list = patched.join(", ");
  if (stop !== undefined && list) return `The patch would stop in ${stop}; ${list} would stay patched.`;
  if (stop !== undefined) return `The patch would fail in ${stop}; nothing would be written.`;
  return list ? `The patch would change ${list}.` : "The patch would change nothing.";
}

export function ResultNotice({ result: { message, problem, seen }, view }: { result: Result; view: View }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), [seen]);
  const isOwn = ({ environment }: Environment) =>
    problem?.details.some((detail) => detail.environment === environment && detail.outcome === "patched");
  const isChanged = problem !== undefined && isConflict(problem) && view.current !== seen;
  const others = isChanged ? seen.filter((each) => !isOwn(each)) : [];
  const changes = others.flatMap(({ environment, variants }) =>
    changeLines(variants, named(view.current, environment)?.variants ?? []).map(
      (line) => `${environment}: ${line}`,
    ),
  );
  return (
    <div
      ref={ref}
      class={`notice ${problem ? "failed" : "patched"}`}
      role={problem ? "alert" : "status"}
      tabIndex={-1}
    >
      <p>{text(message)}</p>
      {isChanged && <h3>Changed meanwhile</h3>}
      {isChanged && (
        <ul>
          {changes.map((line) => (
            <li key={line}>{text(line)}</li>
          ))}
          {changes.length === 0 && <li>No difference is left.</li>}
        </ul>
      )}
    </div>
  );
}

interface UnfinishedProps {
  attempt: Attempt;
  view: View;
  isBusy: boolean;
  finish(etag: string): void;
  leave(): void;
  lookAgain(): void;
}

/** Sending the same request with its idempotency key again skips what has the patch, and patches the rest. */
export function Unfinished({ attempt: { request, problem }, view, isBusy, ...on }: UnfinishedProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const next = view.next.get(request.idempotencyKey ?? "");
  const plan = next instanceof Problem || !next ? [] : next.environments;
  const outcomes = steps(plan);
  const stop = plan[outcomes.indexOf("failed")];
  const known = problem.details.filter(({ outcome }) => outcome !== undefined);
  // Without a list of outcomes: what has the patch already, a dry run with the same key leaves as it is.
  const reached = plan.map(({ environment, changes }, index) => ({
    environment,
    outcome: outcomes[index] === "patched" && changes?.length === 0 ? "patched" : "not attempted",
  }));
  const etag = next instanceof Problem ? "" : (next?.etag ?? "");
  return (
    <section ref={ref} class="notice failed" aria-labelledby={request.idempotencyKey} tabIndex={-1}>
      <h3 id={request.idempotencyKey}>
        {known.length > 0 ? "A patch is half done" : "A patch may be half done"}
      </h3>
      <p>{text(problem.message)}</p>
      <ol class="track">
        {(known.length > 0 ? known : reached).map(({ environment = "", outcome = "" }) => (
          <li key={environment} class={outcome}>
            {text(environment)} <strong>{outcome}</strong>
          </li>
        ))}
      </ol>
      <p>
        {next instanceof Problem && text(next.message)}
        {stop && text(`Finishing it would stop in ${stop.environment} again: change that first.`)}
        {etag && !stop && "Finishing it now skips what has the patch, and patches the rest."}
      </p>
      <div class="buttons">
        <Button class="primary" disabled={isBusy || !etag || !!stop} onClick={() => on.finish(etag)}>
          Finish it
        </Button>
        <Button onClick={on.lookAgain}>Look again</Button>
        <Button onClick={on.leave}>Leave it half done</Button>
      </div>
      <Curl request={{ ...request, etag }} />
    </section>
  );
}

export function Curl({ request }: { request: PatchRequest }) {
  const command = toCurl(request, "write");
  return (
    <details class="curl">
      <summary>What do I send by curl?</summary>
      <pre>{command}</pre>
      <Button onClick={() => navigator.clipboard.writeText(command)}>Copy</Button>
    </details>
  );
}
