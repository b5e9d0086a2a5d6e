/** The goals: for each ratio or size the largest value that is not reported as missed. */

export const goals = {
  // KB of the compressed bundle.
  gzip: 75,
  // Of a cold start, relative to the usual set-up. The init includes the work that moved from the first request into it.
  init: 0.45,
  first: 0.5,
  caller: 0.55,
  peak: 0.8,
  // Without I/O, relative to the plain way.
  largePatch: 0.5,
  // Callers on one feature, compared with callers on a feature each.
  hotRate: 1 / 0.27,
  // Goes by the start of each attempt, without a queue in the table: a longer tail for one mechanism less.
  hotP99: 5,
  // p99 to p50 on one feature: no caller starves.
  hotTail: 3,
  hotCalls: 9,
  hotServerRate: 1 / 0.4,
  hotServerP99: 2.7,
  none: 0,
  // Compared with Unleash.
  unleash: 1,
};
