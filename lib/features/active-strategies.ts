/** Tells which strategies SDKs get. The page has this file too, so it imports none that needs Node. */

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
