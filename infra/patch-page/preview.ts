/** Previews a patch: what is stored, and what the patch would make of it. */
import { type Environment, type PatchRequest, send } from "./api.ts";

export type Preview = Awaited<ReturnType<typeof loadPreview>>;

/** `stop` is where the patch would stop, `changed` what it would change before that. */
export async function loadPreview(draft: PatchRequest) {
  const read = { ...draft, environment: "", text: "[]", idempotencyKey: newKey() };
  const [{ environments: stored }, plan] = await Promise.all([send(read, "dry run"), send(draft, "dry run")]);
  const namesOf = (wanted: Environment["outcome"]) =>
    plan.environments.filter(({ outcome }) => outcome === wanted).map(({ environment }) => environment);
  const [stop, changed] = [namesOf("failed")[0], namesOf("will be patched")];
  return {
    draft,
    stored,
    plan,
    stop,
    changed,
    summary: summaryOf(draft.text, plan.error, stop, changed.join(", ")),
  };
}

function summaryOf(text: string, error: string, stop: string | undefined, changed: string): string {
  if (error) return error;
  if (text === "[]") return "As it is stored. Write a patch to see what it would do.";
  if (stop !== undefined && changed) return `The patch would stop in ${stop}; ${changed} would stay patched.`;
  if (stop !== undefined) return `The patch would fail in ${stop}; nothing would be written.`;
  return changed ? `The patch would change ${changed}.` : "The patch would change nothing.";
}

export function named(environments: readonly Environment[], name: string): Environment | undefined {
  return environments.find(({ environment }) => environment === name);
}

/** Not crypto.randomUUID, which a page served over plain HTTP from another machine does not have. */
export function newKey(): string {
  return `page-${crypto.getRandomValues(new Uint32Array(3)).join("")}`;
}
