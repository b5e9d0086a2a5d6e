/** Valid API keys, kept in the warm sandbox for a short time. */
import type { ApiKey } from "./api-key-store.ts";

export interface KeyCache {
  get(hash: string): ApiKey | undefined;
  set(hash: string, key: ApiKey): void;
}

interface Options {
  /** A revoked key is accepted for so long at most; 0 looks every key up each time. */
  seconds?: number;
  most?: number;
  now?: () => number;
}

export function createKeyCache({ seconds = 30, most = 1000, now = Date.now }: Options = {}): KeyCache {
  const entries = new Map<string, { key: ApiKey; until: number }>();
  return {
    get(hash) {
      const entry = entries.get(hash);
      return entry && now() < entry.until ? entry.key : undefined;
    },
    set(hash, key) {
      // A sandbox that has seen so many keys starts afresh: simpler than choosing, and as rarely wrong.
      if (entries.size >= most) entries.clear();
      entries.set(hash, { key, until: now() + seconds * 1000 });
    },
  };
}
