/**
 * Keeps the changes that are being written while the tab is open, for a reload too, and the name of the last guard. The
 * API key is kept in memory only.
 */
import type { Draft } from "./request.ts";

const drafts = "burgee: drafts";
const guard = "burgee: guard";

export const keptDrafts: readonly Draft[] =
  use(() => JSON.parse(sessionStorage.getItem(drafts) ?? "[]")) ?? [];

/** The newest is the last one. */
export function keepDrafts(all: readonly Draft[]): void {
  use(() => sessionStorage.setItem(drafts, JSON.stringify(all)));
}

export function keptGuard(): Pick<Draft, "guard" | "minutes"> {
  const { name = "", minutes = "30" } = use(() => JSON.parse(localStorage.getItem(guard) ?? "{}")) ?? {};
  return { guard: name, minutes };
}

export function keepGuard({ guard: name, minutes }: Draft): void {
  use(() => localStorage.setItem(guard, JSON.stringify({ name, minutes })));
}

/** A storage may be denied or full. */
function use<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
