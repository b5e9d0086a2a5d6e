/** Of repeated measurements: the middle, and how far the middle half of them lies apart. */

export interface Measured {
  median: number;
  /** First to third quartile. */
  spread: [number, number];
}

export function summarize(values: readonly number[]): Measured {
  const sorted = [...values].sort((left, right) => left - right);
  return { median: quantile(sorted, 0.5), spread: [quantile(sorted, 0.25), quantile(sorted, 0.75)] };
}

/** Of measurements that were taken in turn, so that both sides had the same neighbours. */
export function ratio(values: readonly number[], others: readonly number[]): Measured {
  return summarize(values.map((value, index) => value / (others[index] ?? Number.NaN)));
}

/**
 * Of what differs by less than a busy machine disturbs it. Others can only make a run slower, so the quicker ones are
 * nearer to what it costs.
 */
export function ratioOfQuickest(values: readonly number[], others: readonly number[]): Measured {
  const [quick, otherQuick] = [summarize(values), summarize(others)];
  return { ...ratio(values, others), median: quick.spread[0] / otherQuick.spread[0] };
}

/** Of values in ascending order. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}
