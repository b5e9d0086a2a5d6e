/** Previews a patch of a feature's variants in every environment, applies it, and finishes one that stopped halfway. */
import { render } from "preact";
import { useEffect, useReducer, useState } from "preact/hooks";
import { type Environment, type PatchRequest, type Subject, send } from "./api.ts";
import { Button, Field, text, valuesOf } from "./controls.tsx";
import { type Draft, readPatch } from "./draft.ts";
import { Editor } from "./editor.tsx";
import { Environments } from "./environments.tsx";
import { type Attempt, isConflict, isUnfinished, look, steps, toProblem, type View } from "./look.ts";
import { Curl, type Result, ResultNotice, summary, Unfinished } from "./results.tsx";

function Page({ demoKey }: { demoKey: string }) {
  const demo = { base: location.origin, key: demoKey, project: "default", feature: "checkout" };
  const [subject, setSubject] = useState<Subject | undefined>(demoKey ? demo : undefined);
  const [draft, setDraft] = useState<Draft>({ text: "[]", form: "index", environment: "" });
  const [view, setView] = useState<View>();
  const [failure, setFailure] = useState("");
  const [attempts, setAttempts] = useState<readonly Attempt[]>([]);
  const [result, setResult] = useState<Result>();
  const [isBusy, setBusy] = useState(false);
  const [round, lookAgain] = useReducer((count: number) => count + 1, 0);
  const { patch, issue } = readPatch(draft.text);

  useEffect(() => {
    if (!subject || issue !== undefined) return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const seen = await look(subject, draft, patch, attempts, abort.signal);
        if (abort.signal.aborted) return;
        setView(seen);
        setFailure("");
      } catch (error) {
        if (!abort.signal.aborted) setFailure((error as Error).message);
      }
    }, 250);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [subject, draft, attempts, round]);

  async function write(request: PatchRequest, seen: readonly Environment[]) {
    const others = attempts.filter((each) => each.request.idempotencyKey !== request.idempotencyKey);
    const isRetry = others.length < attempts.length;
    setBusy(true);
    try {
      await send(request, "write");
      setAttempts(others);
      const message = isRetry ? "Finished: every environment has the patch." : "Applied, as previewed.";
      setResult({ message, seen });
      if (!isRetry) setDraft({ ...draft, text: "[]" });
    } catch (error) {
      const problem = toProblem(error);
      const isKept = isRetry || isUnfinished(problem);
      // A patch that is half done says so itself.
      setResult(isKept && !isConflict(problem) ? undefined : { message: problem.message, problem, seen });
      if (isKept) setAttempts([...others, { request, problem }]);
      if (isKept && !isRetry) setDraft({ ...draft, text: "[]" });
    }
    setBusy(false);
    lookAgain(0);
  }

  const isOfSubject = ({ request }: Attempt) =>
    (["base", "project", "feature"] as const).every((part) => request[part] === subject?.[part]);
  const isPreviewed = view?.draft === draft;
  return (
    <>
      <header class="top">
        <h1>
          <img src="/patch/icon.svg" alt="" width={28} height={28} /> Preview a patch
        </h1>
        <form
          class="fields"
          aria-label="Feature"
          onSubmit={(event) => {
            event.preventDefault();
            const { base = "", key = "", project = "", feature = "" } = valuesOf(event.currentTarget);
            setView(undefined);
            setResult(undefined);
            setSubject({ base, key, project, feature });
          }}
        >
          <Field label="Address" name="base" type="url" required defaultValue={demo.base} />
          <Field label="API key" name="key" type="password" required defaultValue={demo.key} />
          <Field label="Project" name="project" required defaultValue={demo.project} />
          <Field label="Feature" name="feature" required defaultValue={demoKey && demo.feature} />
          <button type="submit">Show</button>
        </form>
        {failure && (
          <p class="issue" role="alert">
            {text(failure)}
          </p>
        )}
      </header>
      {view && subject && (
        <main>
          <section class="patch" aria-labelledby="patch-title">
            <h2 id="patch-title">Patch</h2>
            <Editor
              {...{ draft, view, patch }}
              issue={issue ?? (isPreviewed ? view.problem?.message : undefined)}
              change={(changed) => setDraft({ ...draft, ...changed })}
            />
            <Apply view={view} isReady={isPreviewed && !isBusy} write={write} />
          </section>
          <section class="preview" aria-labelledby="preview-title" aria-busy={!isPreviewed}>
            <h2 id="preview-title">
              {text(subject.feature)} in {text(subject.project)}
            </h2>
            {result && <ResultNotice {...{ result, view }} />}
            {attempts.filter(isOfSubject).map((attempt) => (
              <Unfinished
                key={attempt.request.idempotencyKey}
                {...{ attempt, view, isBusy, lookAgain: () => lookAgain(0) }}
                finish={(etag) => write({ ...attempt.request, etag }, view.current)}
                leave={() => setAttempts(attempts.filter((each) => each !== attempt))}
              />
            ))}
            <p role="status" class={`summary ${steps(view.planned).find((step) => step === "failed") ?? ""}`}>
              {text(summary(view))}
            </p>
            <Environments view={view} />
          </section>
        </main>
      )}
    </>
  );
}

interface ApplyProps {
  view: View;
  isReady: boolean;
  write(request: PatchRequest, seen: readonly Environment[]): void;
}

function Apply({ view, isReady, write }: ApplyProps) {
  const outcomes = steps(view.planned);
  const isPatched = outcomes.includes("patched");
  const stop = isPatched ? view.planned[outcomes.indexOf("failed")] : undefined;
  return (
    <>
      <div class="buttons">
        <Button
          class={`primary ${stop ? "failed" : ""}`}
          disabled={!isReady || !isPatched}
          onClick={() => write(view.request, view.current)}
        >
          {stop ? text(`Apply, and stop in ${stop.environment}`) : "Apply"}
        </Button>
      </div>
      <Curl request={view.request} />
    </>
  );
}

const root = document.getElementById("page");
if (root) render(<Page demoKey={root.dataset.key ?? ""} />, root);
