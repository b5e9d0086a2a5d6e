/**
 * Selects the strategies that SDKs get, and puts them in order. The page `/patch` bundles this file, so it imports none that
 * needs Node.
 */

interface Switchable {
  disabled?: boolean | null | undefined;
}

export function activeStrategies<Strategy extends Switchable>(strategies: readonly Strategy[]): Strategy[] {
  return strategies.filter(({ disabled }) => !disabled);
}

/** A feature whose strategies are all disabled is on for no user. */
export function isOn({ enabled, strategies }: { enabled: boolean; strategies: readonly Switchable[] }) {
  return enabled && (strategies.length === 0 || activeStrategies(strategies).length > 0);
}

/** Sorts by `sortOrder`, then by id: the list does not depend on the order of the members that it was made from. */
export function inStrategyOrder<Strategy extends { id: string; sortOrder: number }>(
  strategies: readonly Strategy[],
): Strategy[] {
  return [...strategies].sort(
    (left, right) => left.sortOrder - right.sortOrder || (left.id < right.id ? -1 : 1),
  );
}
