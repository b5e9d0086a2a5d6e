/**
 * Keeps the changes that are being written while the tab is open, for a reload too, and the last guard and limit of
 * who moves. The API key is kept in memory only.
 */
import type { Draft } from "./request.ts";

const drafts = "burgee: drafts";
const options = "burgee: options";

export const keptDrafts: readonly Draft[] =
  use(() => JSON.parse(sessionStorage.getItem(drafts) ?? "[]")) ?? [];

/** The newest is the last one. */
export function keepDrafts(all: readonly Draft[]): void {
  use(() => sessionStorage.setItem(drafts, JSON.stringify(all)));
}

export type KeptOptions = Pick<Draft, "guard" | "minutes" | "mostMoves">;

export function keptOptions(): KeptOptions {
  const kept: Partial<KeptOptions> = use(() => JSON.parse(localStorage.getItem(options) ?? "{}")) ?? {};
  return { guard: "", minutes: "30", mostMoves: "", ...kept };
}

export function keepOptions({ guard, minutes, mostMoves }: KeptOptions): void {
  use(() => localStorage.setItem(options, JSON.stringify({ guard, minutes, mostMoves })));
}

/** A storage may be denied or full. */
function use<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
