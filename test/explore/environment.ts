/** An environment as it is stored, as far as the checks look at it. */
import type { Variant } from "../../lib/contract/variants.ts";

export interface Environment {
  environment: string;
  project: string;
  /** Another when the environment was made again. */
  uid: string;
  revision: number;
  variants: Variant[];
}

/** Every patch of the scenarios appends its id to a list: it shows what was done, how often and in which order. */
export function marksOf({ variants }: { variants: readonly Variant[] }): readonly string[] {
  return variants[0]?.overrides?.[0]?.values ?? [];
}

export function isOther(was: Environment | undefined, is: Environment): boolean {
  return was?.uid !== is.uid;
}

export function differs(was: Environment | undefined, is: Environment | undefined): boolean {
  return JSON.stringify(was?.variants) !== JSON.stringify(is?.variants);
}
