/**
 * Stores the drafts until the tab is closed, and the last guard and limit of moves for later drafts. Never stores the API
 * key.
 */
import { type Draft, type DraftOptionValues, defaultOptions } from "./request.ts";

const drafts = "burgee: drafts";
const options = "burgee: options";

/** The newest draft is the last one. */
export function readKeptDrafts(): readonly Draft[] {
  return tryStorage(() => JSON.parse(sessionStorage.getItem(drafts) ?? "[]")) ?? [];
}

export function keepDrafts(all: readonly Draft[]): void {
  tryStorage(() => sessionStorage.setItem(drafts, JSON.stringify(all)));
}

export function readKeptOptions(): DraftOptionValues {
  const kept: Partial<DraftOptionValues> =
    tryStorage(() => JSON.parse(localStorage.getItem(options) ?? "{}")) ?? {};
  return { ...defaultOptions, ...kept };
}

export function keepOptions({ guard, minutes, mostMoves }: DraftOptionValues): void {
  tryStorage(() => localStorage.setItem(options, JSON.stringify({ guard, minutes, mostMoves })));
}

/** The browser may deny storage, or it may be full: the page works without it. */
function tryStorage<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
