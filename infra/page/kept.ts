/**
 * Keeps the draft, and patches that stopped halfway or may have, while the tab is open: for a reload too, if the browser
 * permits it.
 */
import type { PatchRequest } from "./request.ts";

/** Without the API key, which is kept in memory only. */
export type Kept = Omit<PatchRequest, "key">;

/** A request that has changed some environments, or may have, and can be finished. */
export interface Half {
  request: Kept;
  title: string;
  /** Why it stopped, and where if that is known. */
  cause: string;
  stop: string | undefined;
  /** What it changed, to undo; empty if that is not known. */
  change: string;
}

const items = { draft: "burgee: draft", halves: "burgee: half-done patches" };
export const keptDraft: Partial<Kept> = JSON.parse(read(items.draft) ?? "{}");
export const keptHalves: Half[] = JSON.parse(read(items.halves) ?? "[]");

export function keep({ key: _, ...draft }: PatchRequest, halves: readonly Half[]): void {
  write(items.draft, draft);
  write(items.halves, halves);
}

/** The newest one of the feature. */
export function halfOf(halves: readonly Half[], request: Kept): Half | undefined {
  return halves.findLast((half) => featureOf(half.request) === featureOf(request));
}

export function isHalfOf({ request }: Half, { idempotencyKey }: Kept): boolean {
  return request.idempotencyKey === idempotencyKey;
}

export function featureOf({ project, feature }: Pick<Kept, "project" | "feature">): string {
  return [project, feature].map(encodeURIComponent).join("/");
}

function read(item: string): string | null | undefined {
  return useStorage((storage) => storage.getItem(item));
}

function write(item: string, value: unknown): void {
  useStorage((storage) => storage.setItem(item, JSON.stringify(value)));
}

/** The storage may be denied or full. */
function useStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
