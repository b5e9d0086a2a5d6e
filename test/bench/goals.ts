/** What must be reached, and what is reached for: ratios to the usual set-up, and sizes. */

export interface Goal {
  most: number;
  reach: number;
}

export const goals = {
  gzip: { most: 75, reach: 60 },
  init: { most: 0.28, reach: 0.22 },
  first: { most: 0.5, reach: 0.4 },
  peak: { most: 0.8, reach: 0.77 },
  logging: { most: 1.05, reach: 1.02 },
  largePatch: { most: 0.3, reach: 0.16 },
} satisfies Record<string, Goal>;

export function verdict(value: number, { most, reach }: Goal): string {
  if (value <= reach) return `yes, and ${reach} too`;
  return value <= most ? "yes" : "MISSED";
}
