/** One environment: read, patch, validate, write or nothing. */
import { isDeepStrictEqual } from "node:util";
import { ConflictError, NotFoundError, PreconditionFailed } from "../contract/errors.ts";
import type { Patch } from "../contract/patch.ts";
import { environmentTag, type Precondition } from "./entity-tag.ts";
import type { EnvironmentState, RequestKey, Target } from "./feature.ts";
import type { FeatureStore, Stamp } from "./feature-store.ts";
import { earlierWrite } from "./keyed-write.ts";
import { applyPatch } from "./patch/apply.ts";
import type { Patience } from "./patience.ts";
import { settle } from "./settle.ts";

export interface Patching {
  store: Pick<FeatureStore, "writeVariants">;
  target: Target;
  patch: Patch;
  stamp: Stamp;
  patience: Patience;
  precondition?: Precondition | undefined;
  keyed?: RequestKey | undefined;
}

export interface Patched extends Pick<EnvironmentState, "environment" | "variants"> {
  outcome: "patched" | "unchanged";
  /** The entity tag of these variants. */
  tag: string;
}

/** When somebody else wrote first, the patch is applied to what they left, until the time is used up. */
export async function patchEnvironment(patching: Patching, state: EnvironmentState): Promise<Patched> {
  const { store, target, patch, stamp, patience, precondition, keyed } = patching;
  const { environment } = state;
  let before = state;
  for (let tries = 0; ; tries++) {
    const asItIs = { environment, variants: before.variants, tag: environmentTag(before) };
    if (earlierWrite(before, keyed)) return { ...asItIs, outcome: "patched" };
    // An empty patch is no reason to settle again what an import may have stored otherwise.
    const variants = patch.length === 0 ? before.variants : settle(applyPatch(before.variants, patch));
    if (isDeepStrictEqual(variants, before.variants)) return { ...asItIs, outcome: "unchanged" };
    const written = await store.writeVariants({ ...target, before, variants, stamp, keyed });
    if (written.done) {
      const tag = environmentTag({ revision: before.revision + 1, writes: [stamp.id] });
      return { environment, variants, tag, outcome: "patched" };
    }
    if (!written.current) throw new NotFoundError("it does not exist any more");
    before = written.current;
    if (earlierWrite(before, keyed)) continue;
    if (precondition !== undefined) throw new PreconditionFailed("somebody changed it meanwhile");
    if (!(await patience.pause(tries))) {
      throw new ConflictError("others changed it at every try, and the time is used up; nothing was written");
    }
  }
}
