/**
 * Stores the drafts until the tab is closed, and the last guard and limit of moves for later drafts. Never stores the API
 * key.
 */
import type { Draft } from "./request.ts";

const drafts = "burgee: drafts";
const options = "burgee: options";

export const keptDrafts: readonly Draft[] =
  tryStorage(() => JSON.parse(sessionStorage.getItem(drafts) ?? "[]")) ?? [];

/** The newest draft is the last one. */
export function keepDrafts(all: readonly Draft[]): void {
  tryStorage(() => sessionStorage.setItem(drafts, JSON.stringify(all)));
}

export type KeptOptions = Pick<Draft, "guard" | "minutes" | "mostMoves">;

export function keptOptions(): KeptOptions {
  const kept: Partial<KeptOptions> =
    tryStorage(() => JSON.parse(localStorage.getItem(options) ?? "{}")) ?? {};
  return { guard: "", minutes: "30", mostMoves: "", ...kept };
}

export function keepOptions({ guard, minutes, mostMoves }: KeptOptions): void {
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
