/** Asks the server what is stored, what the patch would make of it, and what finishing earlier patches would do. */
import type { Patch } from "../../lib/contract/patch.ts";
import {
  type Answer,
  type Environment,
  type Outcome,
  type PatchRequest,
  Problem,
  type Subject,
  send,
} from "./api.ts";
import type { Draft } from "./draft.ts";

/** A patch that was sent, and may be patched in some environments only. */
export interface Attempt {
  request: PatchRequest;
  problem: Problem;
}

export interface View {
  draft: Draft;
  /** Every environment as it is stored. */
  current: Environment[];
  /** What the patch makes of those that it is for. */
  planned: Environment[];
  /** Why there is no plan. */
  problem: Problem | undefined;
  /** What Apply sends. */
  request: PatchRequest;
  /** What sending an earlier patch again would do, by its idempotency key. */
  next: ReadonlyMap<string, Answer | Problem>;
}

export async function look(
  subject: Subject,
  draft: Draft,
  patch: Patch,
  attempts: readonly Attempt[],
  signal: AbortSignal,
): Promise<View> {
  const { form, environment } = draft;
  const request = { ...subject, form, environment, patch };
  const preview = (of: PatchRequest) => send(of, "dry run", signal);
  const next = attempts.map(async ({ request: { etag: _, ...again } }) => {
    return [again.idempotencyKey ?? "", await preview(again).catch(toProblem)] as const;
  });
  for (let round = 0; ; round++) {
    const whole = preview({ ...request, environment: "", form: "index", patch: [] });
    const scope = environment === "" ? whole : preview({ ...request, form: "index", patch: [] });
    const [all, before, plan] = await Promise.all([whole, scope, preview(request).catch(toProblem)]);
    const isRefused = plan instanceof Problem;
    // Something was written between the requests: before and after would not belong together.
    if (!isRefused && plan.etag !== before.etag && round < 5) continue;
    const current = all.environments.map((each) => named(before.environments, each.environment) ?? each);
    return {
      draft,
      current,
      planned: isRefused ? [] : plan.environments,
      problem: isRefused ? plan : undefined,
      request: { ...request, etag: before.etag, idempotencyKey: newKey() },
      next: new Map(await Promise.all(next)),
    };
  }
}

/** The first failure stops a patch: nothing after it is attempted. */
export function steps(planned: readonly Environment[]): Outcome[] {
  const stop = planned.findIndex(({ outcome }) => outcome === "failed");
  return planned.map(({ outcome }, index) => (stop !== -1 && index > stop ? "not attempted" : outcome));
}

/** Whether the request may have written something without finishing. */
export function isUnfinished({ status, details }: Problem): boolean {
  return (
    status === 0 || status === 429 || status >= 500 || details.some(({ outcome }) => outcome === "patched")
  );
}

/** Whether others may have written meanwhile. */
export function isConflict({ status }: Problem): boolean {
  return status === 412 || status === 409;
}

export function named(environments: readonly Environment[], name: string): Environment | undefined {
  return environments.find(({ environment }) => environment === name);
}

export function toProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(0, String(error));
}

/** Not crypto.randomUUID, which a page served over plain HTTP from another machine does not have. */
function newKey(): string {
  return `page-${[...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join("")}`;
}
