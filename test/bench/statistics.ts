/** Summarises repeated measurements: the median, and the middle half. */

export interface Measured {
  median: number;
  /** The first and the third quartile. */
  spread: [number, number];
}

export function summarise(values: readonly number[]): Measured {
  const sorted = [...values].sort((left, right) => left - right);
  return { median: quantile(sorted, 0.5), spread: [quantile(sorted, 0.25), quantile(sorted, 0.75)] };
}

/** The ratio of measurements that were taken in turn, under the same conditions. */
export function ratio(values: readonly number[], others: readonly number[]): Measured {
  return summarise(values.map((value, index) => value / (others[index] ?? Number.NaN)));
}

/** The quantile of values in ascending order. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}
