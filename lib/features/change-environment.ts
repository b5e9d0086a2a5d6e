/** Changes one environment: plan, write if it differs, retry on a conflict. */
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

type Store = Pick<VariantStore, "readEnvironment" | "writeVariants">;

/** After a write conflict it plans again on the fresh state until the deadline; with an ETag to match, it fails. */
export async function changeEnvironment(
  store: Store,
  order: ArrivalOrder,
  request: EnvironmentRequest,
  plan: Plan,
  first: EnvironmentState,
): Promise<Outcome> {
  const { target, stamp } = request;
  const read = () => store.readEnvironment(target, first.environment);
  let state = order.hasMetOthers() ? requireSame(first, await read(), request) : first;
  for (;;) {
    const { variants, changes } = state;
    const found = { ...versionOf(state), before: variants };
    if (findEarlier(changes, stamp)) return { ...found, variants, outcome: "patched" };
    const planned = plan(state);
    if (isDeepStrictEqual(planned.variants, variants)) return { ...found, ...planned, outcome: "unchanged" };
    const after = stateAfter(state, planned, stamp);
    const result = await store.writeVariants({ target, before: state, after, stamp });
    if (result.written) return { ...found, ...planned, ...versionOf(after), outcome: "patched" };
    state = requireSame(state, result.current, request);
    const isDone = findEarlier(state.changes, stamp) !== undefined;
    if (!isDone && (await order.pause(state))) state = requireSame(state, await read(), request);
  }
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

/** Returns the state after a write conflict or a pause, or throws if the request cannot continue from it. */
function requireSame(
  before: EnvironmentState,
  current: EnvironmentState | undefined,
  { stamp, precondition }: EnvironmentRequest,
): EnvironmentState {
  const isSame = current?.uid === before.uid;
  if (isSame) refuseEarlierUse([current], stamp);
  if (isSame && findEarlier(current.changes, stamp)) return current;
  const hasEtag = precondition !== undefined && precondition !== "*";
  if (hasEtag) throw new PreconditionFailed("It was changed by another request in the meantime");
  if (!isSame) throw new NotFoundError("It was deleted in the meantime; nothing was written");
  return current;
}
