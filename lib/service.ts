/** Puts the service together: the settings, what a warm sandbox keeps, and what each invocation gets. */
import type { Caller } from "./access/caller.ts";
import { identify } from "./access/identify.ts";
import { createKeyCache } from "./access/key-cache.ts";
import type { FeatureStore } from "./features/feature-store.ts";
import { createPatience, type Patience } from "./features/patience.ts";
import { createApiKeyStore } from "./store/api-keys.ts";
import { createClient } from "./store/client.ts";
import { createFeatureStore, createRehearsal } from "./store/feature-store.ts";
import { openSession } from "./store/session.ts";

/** Bound to the time that one invocation has left. */
export interface Invocation {
  features: FeatureStore;
  /** The same for a dry run: it judges, and writes nothing. */
  rehearsal: FeatureStore;
  patience: Patience;
  identify(key: string): Promise<Caller>;
}

export type Service = (remainingMs: () => number) => Invocation;

/** Fails while the sandbox starts, where a wrong setting is seen at once. */
export function createService({ TABLE_NAME, KEY_CACHE_SECONDS = "30" } = process.env): Service {
  if (!TABLE_NAME) throw new Error("TABLE_NAME is not set: the name of the DynamoDB table");
  const seconds = Number(KEY_CACHE_SECONDS);
  if (!(seconds >= 0))
    throw new Error(`KEY_CACHE_SECONDS is "${KEY_CACHE_SECONDS}": a number from 0 up is needed`);
  const client = createClient();
  const cache = createKeyCache({ seconds });
  return (remainingMs) => {
    const session = openSession({ client, table: TABLE_NAME, remainingMs });
    const store = createApiKeyStore(session);
    return {
      features: createFeatureStore(session),
      rehearsal: createRehearsal(session),
      patience: createPatience({ remainingMs }),
      identify: (key) => identify(key, { store, cache }),
    };
  };
}
