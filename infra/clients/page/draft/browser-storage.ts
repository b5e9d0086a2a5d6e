/**
 * Stores the drafts until the tab is closed, and the last guard and limit of moves for later drafts. Never stores the API
 * key.
 */
import { type Draft, type DraftOptionValues, defaultOptions } from "./draft.ts";

const drafts = "burgee: drafts";
const options = "burgee: options";

/** The newest draft is the last one. */
export function readStoredDrafts(): readonly Draft[] {
  return tryStorage(() => JSON.parse(sessionStorage.getItem(drafts) ?? "[]")) ?? [];
}

export function storeDrafts(all: readonly Draft[]): void {
  tryStorage(() => sessionStorage.setItem(drafts, JSON.stringify(all)));
}

export function readStoredOptions(): DraftOptionValues {
  const stored: Partial<DraftOptionValues> =
    tryStorage(() => JSON.parse(localStorage.getItem(options) ?? "{}")) ?? {};
  return { ...defaultOptions, ...stored };
}

export function storeOptions(values: DraftOptionValues): void {
  const names = Object.keys(defaultOptions);
  tryStorage(() => localStorage.setItem(options, JSON.stringify(values, names)));
}

/** The browser may deny storage, or it may be full: the page works without it. */
function tryStorage<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
