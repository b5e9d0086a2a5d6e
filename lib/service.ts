/** Wires the service: the settings, what a warm sandbox keeps, and what each invocation gets. */
import { authenticate, type KeyCache } from "./access/authenticate.ts";
import type { Caller } from "./access/permissions.ts";
import type { Clock } from "./features/stores.ts";
import { type Client, createClient, warmUp } from "./store/client.ts";
import { type ApiKeyItem, apiKeyTableKey } from "./store/items.ts";
import { getItem } from "./store/read-items.ts";
import { openSession, type Session, type Usage } from "./store/session.ts";

/** Bound to the time that one invocation has left. */
export interface Invocation<Store> {
  store: Store;
  clock: Clock;
  authenticate(authorization: string | undefined): Promise<Caller>;
  /** Its calls to DynamoDB so far, for the log line. */
  usage: Usage;
}

export type Service<Store> = (remainingMs: () => number) => Invocation<Store>;

/** Environment variables of a function. */
export interface Settings {
  TABLE_NAME?: string | undefined;
  KEY_CACHE_SECONDS?: string | undefined;
}

export interface ServiceOptions {
  client?: Client;
  /** Makes a call to the table at once, and lets the first look-up of a key wait for it. */
  isWarmedUp?: boolean;
}

/** Throws while the sandbox starts, so that a wrong setting fails at once. */
export function createService<Store>(
  createStore: (session: Session) => Store,
  { TABLE_NAME, KEY_CACHE_SECONDS = "30" }: Settings,
  { client = createClient(), isWarmedUp = false }: ServiceOptions = {},
): Service<Store> {
  if (!TABLE_NAME) throw new Error("TABLE_NAME is not set: the name of the DynamoDB table");
  if (!/^\d+$/.test(KEY_CACHE_SECONDS)) {
    throw new Error(`KEY_CACHE_SECONDS is "${KEY_CACHE_SECONDS}": expected a whole number from 0 up`);
  }
  const warm = isWarmedUp ? warmUp(client, TABLE_NAME) : undefined;
  const cache: KeyCache = new Map();
  return (remainingMs) => {
    const session = openSession({ client, table: TABLE_NAME, remainingMs });
    return {
      store: createStore(session),
      clock: { sleep, remainingMs },
      async authenticate(authorization) {
        // Otherwise the first read would open a second connection beside the one that is being opened.
        await warm;
        return authenticate(authorization, {
          readApiKey: (hash) => getItem<ApiKeyItem>(session, apiKeyTableKey(hash)),
          cache,
          seconds: Number(KEY_CACHE_SECONDS),
        });
      },
      usage: session.usage,
    };
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
