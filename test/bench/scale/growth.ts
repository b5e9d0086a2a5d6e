/** Checks that a cost grows linearly at most. */
import type { Curve, Point } from "./measure.ts";

export const metrics = ["cpu", "units", "calls", "memory"] as const;
export type Metric = (typeof metrics)[number];

/** Other processes can only slow a request down, so the faster rounds are closer to its cost. */
export function measureOf(point: Point, metric: Metric): number {
  return metric === "cpu" ? point.cpu.spread[0] : point[metric];
}

/**
 * The exponent of the upper half, where fixed costs weigh least: 0 is constant, 1 linear, 2 quadratic. A straight
 * line that starts above zero has less than 1.
 */
export function exponent({ points }: Curve, metric: Metric): number {
  const upper = points.slice(Math.floor((points.length - 1) / 2));
  const logs = upper.map((point) => [
    Math.log(point.count),
    Math.log(Math.max(measureOf(point, metric), 1e-6)),
  ]);
  const [meanX, meanY] = [0, 1].map(
    (axis) => logs.reduce((sum, log) => sum + (log[axis] ?? 0), 0) / logs.length,
  );
  const [x0, y0] = [meanX ?? 0, meanY ?? 0];
  const over = logs.reduce((sum, [x = 0, y = 0]) => sum + (x - x0) * (y - y0), 0);
  return over / logs.reduce((sum, [x = 0]) => sum + (x - x0) ** 2, 0);
}

/** Quadratic growth shows as 2; a smaller excess over linear growth is noise. */
const most = 1.2;

export function issuesOf(curve: Curve): string[] {
  return metrics.flatMap((metric) => {
    const found = exponent(curve, metric);
    return found <= most ? [] : [`${metric} grows with the ${found.toFixed(2)}th power of ${curve.name}`];
  });
}
