/**
 * Keeps the draft, and patches that stopped halfway or may have, while the tab is open: for a reload too, if the browser
 * permits it.
 */
import type { PatchRequest } from "./request.ts";

/** Without the API key, which is kept in memory only. */
type Kept = Omit<PatchRequest, "key">;

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
export let halves: Half[] = JSON.parse(read(items.halves) ?? "[]");

export function keepDraft({ key: _, ...draft }: PatchRequest): void {
  write(items.draft, draft);
}

export function keepHalf(half: Half): void {
  dropHalf(half.request);
  store([...halves, half]);
}

/** Returns it, if there was one. */
export function dropHalf(request: Kept): Half | undefined {
  const dropped = halves.find((half) => isSame(half, request));
  store(halves.filter((half) => half !== dropped));
  return dropped;
}

/** Forgets the patch that an undo has undone. */
export function dropUndone({ change, environment }: PatchRequest): void {
  store(halves.filter((half) => half.change !== change || half.request.environment !== environment));
}

/** The newest one of the feature. */
export function halfOf(request: PatchRequest): Half | undefined {
  return halves.findLast((half) => featureOf(half.request) === featureOf(request));
}

export function isSame({ request }: Half, { idempotencyKey }: Kept): boolean {
  return request.idempotencyKey === idempotencyKey;
}

export function featureOf({ project, feature }: Kept): string {
  return [project, feature].map(encodeURIComponent).join("/");
}

function store(next: Half[]): void {
  halves = next;
  write(items.halves, halves);
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
