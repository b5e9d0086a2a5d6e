/** One environment: read, patch, validate, write or nothing. */
import { isDeepStrictEqual } from "node:util";
import { ConflictError, NotFoundError } from "../contract/errors.ts";
import type { Patch } from "../contract/patch.ts";
import type { EnvironmentState, FeatureStore, Stamp } from "./feature-store.ts";
import { applyPatch } from "./patch/apply.ts";
import type { Patience } from "./patience.ts";
import { settle } from "./settle.ts";

export interface Patching {
  store: Pick<FeatureStore, "writeVariants">;
  feature: string;
  patch: Patch;
  stamp: Stamp;
  patience: Patience;
}

export interface Patched extends Pick<EnvironmentState, "environment" | "variants"> {
  outcome: "patched" | "unchanged";
}

/** When somebody else wrote first, the patch is applied to what they left, until the time is used up. */
export async function patchEnvironment(
  { store, feature, patch, stamp, patience }: Patching,
  state: EnvironmentState,
): Promise<Patched> {
  const { environment } = state;
  let before = state;
  for (let tries = 0; ; tries++) {
    // An empty patch is no reason to settle again what an import may have stored otherwise.
    const variants = patch.length === 0 ? before.variants : settle(applyPatch(before.variants, patch));
    if (isDeepStrictEqual(variants, before.variants)) return { environment, variants, outcome: "unchanged" };
    const written = await store.writeVariants(feature, before, variants, stamp);
    if (written.done) return { environment, variants, outcome: "patched" };
    if (!written.current) throw new NotFoundError("it does not exist any more");
    before = written.current;
    if (!(await patience.pause(tries))) {
      throw new ConflictError("others changed it at every try, and the time is used up; nothing was written");
    }
  }
}
