/** The goals: for each ratio or size the largest value that is not reported as missed. */

export const goals = {
  // KB of the compressed bundle.
  gzip: 80,
  // Of a cold start, relative to the usual set-up. The init includes the work that moved from the first request into it.
  init: 0.45,
  first: 0.5,
  // Relative to a plain bundle. A configuration of the SDK that saves less than a fifth would not be worth its lines.
  firstOfPlain: 0.8,
  caller: 0.55,
  peak: 0.8,
  // Without I/O, relative to the plain way.
  largePatch: 0.5,
  // Callers on one feature, compared with callers on a feature each.
  hotRate: 1 / 0.27,
  // Requests that meet pause at random. An order of arrival would halve this tail; no caller asked for one.
  hotP99: 9,
  // p99 to p50 on one feature. With one environment most requests meet no other.
  hotTail: 8,
  hotCalls: 12,
  hotServerRate: 1 / 0.4,
  hotServerP99: 5,
  // Milliseconds of processor time: the document of 500 features, and a response without a body.
  rebuilt: 60,
  notModified: 3,
  none: 0,
  // Compared with Unleash 6.10.1: the p99, and how many times its rate.
  unleash: 1,
  unleashTags: 1 / 2.5,
  unleashTagsOfTen: 1 / 2,
  unleashPatches: 1 / 1.8,
  unleashPatchesOfTen: 1 / 1.5,
  // On one feature Unleash acknowledges what it does not store; Burgee stores every patch, one after the other.
  unleashHotRate: 1 / 1.5,
  // Compared with Unleash 8.2.0, which acknowledges changes of strategies that it does not store.
  unleashStrategies: 1 / 3,
  unleashStrategiesOfTen: 1 / 2,
  // With a data folder, at each load.
  unleashFolder: 1 / 0.8,
};
