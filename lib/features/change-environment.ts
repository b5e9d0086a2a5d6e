/** Changes one environment: plan, write if it differs, plan again after a conflict. */
import { isDeepStrictEqual } from "node:util";
import { type ApiError, NotFoundError, PreconditionFailed } from "../contract/errors.ts";
import type { Variant } from "../contract/variants.ts";
import type { ArrivalOrder } from "./arrival-order.ts";
import { addChange, findEarlier } from "./changes.ts";
import { refuseEarlierUse } from "./checks.ts";
import type { Precondition, Version } from "./etag.ts";
import type { EnvironmentState, Target } from "./feature.ts";
import type { Stamp } from "./stamp.ts";
import type { VariantStore } from "./stores.ts";
import { wayBack } from "./variant-diff.ts";

/** What a request makes of the variants of an environment. It has no side effects. */
export type Plan = (state: EnvironmentState) => {
  variants: Variant[];
  /** What the request does without being asked to, or sets without effect. */
  hint?: string | undefined;
  /** The id of the change that it undoes. */
  undoes?: string | undefined;
};

export interface Outcome extends Version {
  outcome: "patched" | "unchanged" | "failed";
  before: Variant[];
  variants: Variant[];
  hint?: string | undefined;
  /** Why it failed. */
  error?: ApiError;
}

export interface EnvironmentRequest {
  target: Target;
  stamp: Stamp;
  precondition?: Precondition | undefined;
}

/** After a write conflict, plans again on the fresh state until the deadline; with an ETag in If-Match, fails instead. */
export async function changeEnvironment(
  store: VariantStore,
  order: ArrivalOrder,
  request: EnvironmentRequest,
  plan: Plan,
  first: EnvironmentState,
): Promise<Outcome> {
  const { target, stamp } = request;
  const read = () => store.readEnvironment(target, first.environment);
  let state = order.hasMetOthers() ? continueFrom(await read(), first, request) : first;
  for (;;) {
    const { after, ...outcome } = planEnvironment(state, plan, stamp);
    if (!after) return outcome;
    const result = await store.writeVariants({ target, before: state, after, stamp });
    if (result.written) return outcome;
    state = continueFrom(result.current, state, request);
    const isDone = findEarlier(state.changes, stamp) !== undefined;
    if (!isDone && (await order.pause(state))) state = continueFrom(await read(), state, request);
  }
}

/** What the request makes of an environment, without writing it. `after` is what is to be written, if anything is. */
export function planEnvironment(
  state: EnvironmentState,
  plan: Plan,
  stamp: Stamp,
): Outcome & { after?: EnvironmentState } {
  const { variants, changes } = state;
  const found = { ...versionOf(state), before: variants };
  if (findEarlier(changes, stamp)) return { ...found, variants, outcome: "patched" };
  const planned = plan(state);
  if (isDeepStrictEqual(planned.variants, variants)) return { ...found, ...planned, outcome: "unchanged" };
  const after = stateAfter(state, planned, stamp);
  return { ...found, ...planned, ...versionOf(after), outcome: "patched", after };
}

/** The next revision, with the change in its list. */
export function stateAfter(
  before: EnvironmentState,
  { variants, undoes }: Pick<ReturnType<Plan>, "variants" | "undoes">,
  { request: _, ...stamp }: Stamp,
): EnvironmentState {
  const revision = before.revision + 1;
  const change = { ...stamp, revision, undoes, wayBack: wayBack(variants, before.variants) };
  return { ...before, revision, variants, ...addChange(before, change) };
}

export function versionOf({ environment, uid, revision }: EnvironmentState): Version {
  return { environment, uid, revision };
}

/** Returns the fresh state, or throws if the request cannot continue from it. */
function continueFrom(
  current: EnvironmentState | undefined,
  before: EnvironmentState,
  { stamp, precondition }: EnvironmentRequest,
): EnvironmentState {
  const isSame = current?.uid === before.uid;
  if (isSame) refuseEarlierUse([current], stamp);
  if (isSame && findEarlier(current.changes, stamp)) return current;
  const hasEtag = precondition !== undefined && precondition !== "*";
  if (hasEtag) throw new PreconditionFailed("It was changed by another request in the meantime");
  if (!isSame) throw new NotFoundError("It was deleted in the meantime; nothing was written here");
  return current;
}
