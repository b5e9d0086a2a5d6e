/** Summarises one run of concurrent callers. */
import { quantile } from "../statistics.ts";
import type { Looped } from "./loop.ts";

/** All callers patch one feature, or each patches its own. */
export const loads = ["one feature", "own features"] as const;
export type Load = (typeof loads)[number];

export interface Run {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  longest: number;
  refused: number;
  /** Database calls for each successful request; absent where they cannot be counted. */
  calls?: number;
  units?: number;
  /** Acknowledged patches that are missing. */
  lost?: number;
}

export type InTurn = Record<Load, Run[]>;

export function toRun(looped: readonly Looped[], seconds: number): Run {
  const durations = looped.flatMap((one) => one.durations).sort((left, right) => left - right);
  return {
    perSecond: durations.length / seconds,
    p50: quantile(durations, 0.5),
    p99: quantile(durations, 0.99),
    longest: durations.at(-1) ?? Number.NaN,
    refused: looped.reduce((sum, { refused }) => sum + refused, 0),
  };
}
