/** Rules of Unleash that the page needs too. This file has no schema, because the page is built without Zod. */

/** Allows the characters that `encodeURIComponent` keeps. A client would resolve "." and ".." in a path. */
export const urlFriendlyPattern = /^(?!\.{1,2}$)[\w.!~*'()-]+$/;
export const urlFriendlyRule = `must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."`;

/** Unleash's default: a strategy without a `sortOrder` comes last. */
export const lastSortOrder = 9999;

/**
 * Returns the share of users that a rollout reaches, in percent: "12.9" gives 12, because SDKs compare it with a bucket,
 * which is a whole number from 1 to 100. Returns NaN if it is no number.
 */
export function rolloutPercent(rollout: string | undefined): number {
  return Math.max(0, Math.min(100, Math.floor(Number(rollout))));
}
