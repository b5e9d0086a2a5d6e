/** Keeps patches that stopped halfway, or may have, while the tab is open: for a reload too. */
import type { PatchRequest } from "./api.ts";

export interface Half {
  request: PatchRequest;
  title: string;
  /** Why it stopped, and where if that is known. */
  reason: string;
  stop: string | undefined;
  /** What it changed, to undo; empty if that is not known. */
  change: string;
}

const item = "burgee: half-done patches";
let halves: Half[] = JSON.parse(sessionStorage.getItem(item) ?? "[]");

/** Without the API key, which is kept in memory only. */
export function keepHalf(half: Half): void {
  const others = halves.filter((other) => !isSame(other, half.request));
  store([...others, { ...half, request: { ...half.request, key: "" } }]);
}

/** Returns whether there was one. */
export function dropHalf(request: PatchRequest): boolean {
  const others = halves.filter((half) => !isSame(half, request));
  const isDropped = others.length < halves.length;
  store(others);
  return isDropped;
}

/** Forgets the patch that an undo has undone. */
export function dropUndone({ change, environment }: PatchRequest): void {
  store(halves.filter((half) => half.change !== change || half.request.environment !== environment));
}

/** The newest one of the feature. */
export function halfOf(request: PatchRequest): Half | undefined {
  return halves.findLast((half) => featureOf(half.request) === featureOf(request));
}

/** The newest one of another feature. */
export function halfElsewhere(request: PatchRequest): Half | undefined {
  return halves.findLast((half) => featureOf(half.request) !== featureOf(request));
}

export function newestHalf(): Half | undefined {
  return halves.at(-1);
}

export function isSame({ request }: Half, { idempotencyKey }: PatchRequest): boolean {
  return request.idempotencyKey === idempotencyKey;
}

export function featureOf({ address, project, feature }: PatchRequest): string {
  return [address, project, feature].map(encodeURIComponent).join("/");
}

function store(next: Half[]): void {
  halves = next;
  sessionStorage.setItem(item, JSON.stringify(halves));
}
