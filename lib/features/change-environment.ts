/** Changes one environment: plan, write if it differs, retry on a conflict. */
import { NotFoundError, PreconditionFailed } from "../contract/errors.ts";
import type { Variant } from "../contract/variants.ts";
import { environmentEtag, type Precondition } from "./etag.ts";
import type { Change, EnvironmentState, IdempotentRequest, Target } from "./feature.ts";
import { refuseEarlierUse } from "./preconditions.ts";
import type { Stamp, VariantStore } from "./stores.ts";
import type { Turn, Turns } from "./turns.ts";

export interface EnvironmentChange {
  target: Target;
  plan: Plan;
  stamp: Stamp;
  /** Of the change's first write, if there was one. */
  changedAt?: string | undefined;
  precondition?: Precondition | undefined;
  idempotency?: IdempotentRequest | undefined;
}

/** What a request makes of an environment. It has no side effects: a dry run makes the same plan. */
export type Plan = (state: EnvironmentState) => PlannedEnvironment;

export interface PlannedEnvironment {
  environment: string;
  outcome: "patched" | "unchanged";
  variants: Variant[];
  /** For a dry run: what the request sets without effect. */
  hint?: string;
  undoes?: Change | undefined;
}

export interface ChangedEnvironment extends PlannedEnvironment {
  etag: string;
  /** The time of the change, unless nothing was changed. */
  changedAt?: string;
}

/** What an earlier attempt has patched is not planned again. */
export function planIn(state: EnvironmentState, plan: Plan): PlannedEnvironment {
  const { environment, variants, earlierWrite } = state;
  return earlierWrite ? { environment, variants, outcome: "patched" } : plan(state);
}

/** After a write conflict it plans again on the fresh state until the deadline; with an ETag to match, it fails. */
export async function changeEnvironment(
  store: Pick<VariantStore, "writeVariants">,
  turns: Turns,
  request: EnvironmentChange,
  state: EnvironmentState,
): Promise<ChangedEnvironment> {
  let turn: Turn = { current: state };
  let isWritten = false;
  try {
    // Waiting cannot help with an ETag, which the next write makes stale, nor where an earlier attempt has written.
    const skipsQueue = hasEtag(request) || state.earlierWrite !== undefined;
    if (!skipsQueue) turn = await turns.begin(state);
    let before = skipsQueue ? state : requireRetryable(state, turn.current, request);
    for (;;) {
      const planned = planIn(before, request.plan);
      const etag = environmentEtag(before);
      if (before.earlierWrite) return { ...planned, etag, changedAt: before.earlierWrite.at };
      if (planned.outcome === "unchanged") return { ...planned, etag };
      const { target, idempotency, changedAt = new Date().toISOString() } = request;
      const stamp = { ...request.stamp, at: changedAt };
      const { variants, undoes } = planned;
      const write = { ...target, before, variants, undoes, stamp, idempotency, ticket: turn.ticket };
      const result = await store.writeVariants(write);
      isWritten = result.written;
      if (result.written) return { ...planned, etag: environmentEtag(result.stored), changedAt };
      before = requireRetryable(before, result.current, request);
      if (before.earlierWrite) continue;
      turn = await turns.retry(turn, before);
      before = requireRetryable(before, turn.current, request);
    }
  } finally {
    if (!isWritten) await turns.giveUp(turn);
  }
}

/** Returns the state after a write conflict or a wait, or throws if the request cannot continue from it. */
function requireRetryable(
  before: EnvironmentState,
  current: EnvironmentState | undefined,
  request: EnvironmentChange,
): EnvironmentState {
  const isSame = current?.uid === before.uid;
  if (isSame) refuseEarlierUse([current], request.idempotency);
  if (isSame && current.earlierWrite) return current;
  if (hasEtag(request)) {
    throw new PreconditionFailed("It was changed by another request in the meantime");
  }
  if (!isSame) throw new NotFoundError("It was deleted in the meantime; nothing was written");
  return current;
}

function hasEtag({ precondition }: EnvironmentChange): boolean {
  return precondition !== undefined && precondition !== "*";
}
