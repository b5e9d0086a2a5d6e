/** Plans the requests that make a change again where it was undone: one where that does the same, otherwise one for each environment. */
import type { ListedChange } from "../../lib/contract/changes.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import type { ListedDifference } from "./actions.ts";
import { applied, readPatch } from "./patch.ts";
import { type EnvironmentOutcome, named } from "./send.ts";

type Made = ListedChange["environments"][number];

interface Again {
  /** Of the environments that it changes. */
  names: readonly string[];
  /** Of the request; "" for all environments. */
  environment: string;
  difference: ListedDifference;
}

/** None for an undo. A switch is made again by the switch. */
export function requestsToMakeAgain(change: ListedChange, stored: readonly EnvironmentOutcome[]): Again[] {
  if (change.undoes !== undefined) return [];
  const wanted = change.environments.filter(
    (one) => one.undoneBy !== undefined && ofVariants(one.difference).length > 0,
  );
  const [first] = wanted;
  if (first && isOneRequest(wanted, stored)) {
    const names = wanted.map(({ environment }) => environment);
    return [{ names, environment: "", difference: ofVariants(first.difference) }];
  }
  return wanted.map(({ environment, difference }) => ({
    names: [environment],
    environment,
    difference: ofVariants(difference),
  }));
}

/** Whether a request for all environments does the same in those of the change, and nothing in the others. */
function isOneRequest(wanted: readonly Made[], stored: readonly EnvironmentOutcome[]): boolean {
  const [difference = "", ...others] = new Set(
    wanted.map((one) => JSON.stringify(ofVariants(one.difference))),
  );
  const isSame = wanted.length > 1 && others.length === 0;
  const isLeft = ({ environment, variants }: EnvironmentOutcome) =>
    named(wanted, environment) !== undefined || changesNothing(difference, variants);
  return isSame && stored.every(isLeft);
}

/** Variants that an operation does not apply to come back as they are: the request would fail there. */
function changesNothing(difference: string, variants: Variant[]): boolean {
  const after = applied(variants, readPatch(difference), "name");
  const contents = [after, variants].map((list) => list.map(contentOf).sort().join());
  return after !== variants && contents[0] === contents[1];
}

/** The same for variants whose members are in another order. */
function contentOf(variant: Variant): string {
  return JSON.stringify(Object.entries(variant).sort());
}

/** The operations of a difference that change variants, as a patch of the variants by name. */
export function ofVariants(difference: ListedDifference): ListedDifference {
  const root = "/variants";
  return difference
    .filter(({ path }) => path.startsWith(`${root}/`) || path === root)
    .map((one) => ({ ...one, path: one.path.slice(root.length) }));
}
