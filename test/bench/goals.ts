/** The goals: for each ratio or size the limit (`most`), and the value to aim for (`reach`). */

export interface Goal {
  most: number;
  reach: number;
}

export const goals = {
  gzip: { most: 75, reach: 60 },
  // Includes the work that moved from the first request into the init.
  init: { most: 0.45, reach: 0.35 },
  first: { most: 0.46, reach: 0.4 },
  caller: { most: 0.5, reach: 0.4 },
  peak: { most: 0.8, reach: 0.77 },
  logging: { most: 1.05, reach: 1.02 },
  largePatch: { most: 0.3, reach: 0.16 },
  // Callers on one feature, compared with callers on a feature each.
  hotRate: { most: 1 / 0.35, reach: 2 },
  hotP99: { most: 3, reach: 2 },
  // p99 to p50 on one feature: no caller starves.
  hotTail: { most: 3, reach: 2 },
  hotCalls: { most: 9, reach: 7 },
  hotNone: { most: 0, reach: 0 },
  hotServerRate: { most: 1 / 0.45, reach: 1.5 },
  hotServerP99: { most: 2, reach: 1.5 },
} satisfies Record<string, Goal>;

export function verdict(value: number, { most, reach }: Goal): string {
  if (value <= reach) return `yes, and ${reach} too`;
  return value <= most ? "yes" : "MISSED";
}
