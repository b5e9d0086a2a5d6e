/** Patches one environment: patch, validate, write if it changed, retry on a conflict. */
import { isDeepStrictEqual } from "node:util";
import { NotFoundError, PreconditionFailed } from "../contract/errors.ts";
import type { Patch } from "../contract/patch.ts";
import type { Variant, VariantForm } from "../contract/variants.ts";
import { environmentEtag, type Precondition } from "./etag.ts";
import type { EnvironmentState, IdempotentRequest, Target } from "./feature.ts";
import { applyPatch } from "./json-patch/apply.ts";
import { refuseReusedIdempotencyKey } from "./preconditions.ts";
import type { Stamp, VariantStore } from "./stores.ts";
import type { Turn } from "./turns.ts";
import { fromDocument, toDocument } from "./variant-list.ts";

export interface EnvironmentPatch {
  target: Target;
  patch: Patch;
  form: VariantForm;
  stamp: Stamp;
  precondition?: Precondition | undefined;
  idempotency?: IdempotentRequest | undefined;
}

export interface PlannedEnvironment {
  environment: string;
  outcome: "patched" | "unchanged";
  variants: Variant[];
}

export interface PatchedEnvironment extends PlannedEnvironment {
  etag: string;
}

/** What the patch makes of an environment. It has no side effects: a dry run makes the same plan. */
export function planEnvironment(
  { environment, variants, earlierWrite }: EnvironmentState,
  { patch, form }: Pick<EnvironmentPatch, "patch" | "form">,
): PlannedEnvironment {
  if (earlierWrite) return { environment, variants, outcome: "patched" };
  // An empty patch changes nothing, not even weights that an import stored without normalising them.
  if (patch.length === 0) return { environment, variants, outcome: "unchanged" };
  const patched = fromDocument(applyPatch(toDocument(variants, form), patch, { member: "variant" }), form);
  const isUnchanged = isDeepStrictEqual(patched, variants);
  return { environment, variants: patched, outcome: isUnchanged ? "unchanged" : "patched" };
}

/** Unless it has an ETag to match, a conflicting patch is applied to the fresh state until time runs out. */
export async function patchEnvironment(
  store: Pick<VariantStore, "writeVariants">,
  turn: Turn,
  request: EnvironmentPatch,
  state: EnvironmentState,
): Promise<PatchedEnvironment> {
  let isWritten = false;
  try {
    // An ETag is out of date as soon as another request has written, and an earlier write is not repeated: no wait.
    const isDecided = hasEtag(request) || state.earlierWrite !== undefined;
    let before = isDecided ? state : requireRetryable(state, await turn.begin(), request);
    for (;;) {
      const planned = planEnvironment(before, request);
      if (planned.outcome === "unchanged" || before.earlierWrite) {
        return { ...planned, etag: environmentEtag(before) };
      }
      const { target, stamp, idempotency } = request;
      const result = await store.writeVariants({
        ...target,
        before,
        variants: planned.variants,
        stamp,
        idempotency,
        ticket: turn.ticket,
      });
      isWritten = result.written;
      if (result.written) return { ...planned, etag: environmentEtag(result.stored) };
      before = requireRetryable(before, result.current, request);
      if (!before.earlierWrite) before = requireRetryable(before, await turn.retry(before), request);
    }
  } finally {
    if (!isWritten) await turn.giveUp();
  }
}

/** Returns the state after a write conflict or a wait, or throws if the request cannot continue from it. */
function requireRetryable(
  before: EnvironmentState,
  current: EnvironmentState | undefined,
  request: EnvironmentPatch,
): EnvironmentState {
  const isSame = current?.uid === before.uid;
  if (isSame) refuseReusedIdempotencyKey([current], request.idempotency);
  if (isSame && current.earlierWrite) return current;
  if (hasEtag(request)) {
    throw new PreconditionFailed("It was changed by another request in the meantime");
  }
  if (!isSame) throw new NotFoundError("It was deleted in the meantime; nothing was written");
  return current;
}

function hasEtag({ precondition }: EnvironmentPatch): boolean {
  return precondition !== undefined && precondition !== "*";
}
