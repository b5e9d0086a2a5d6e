/** Wires the service: the settings, what a warm sandbox keeps, what an invocation gets. */
import type { KeyCache, KeyReader } from "./access/authenticate.ts";
import type { DocumentCache } from "./documents/sdk-document.ts";
import type { Clock } from "./features/change/backoff.ts";
import type { SmokeTested } from "./features/stores.ts";
import { type Client, createClient, warmUp } from "./store/client.ts";
import { type ApiKeyItem, apiKeyTableKey } from "./store/items.ts";
import { getItem } from "./store/read-items.ts";
import { openSession, type Session, type Usage } from "./store/session.ts";

export interface Invocation<Store> {
  store: Store;
  clock: Clock;
  keys: KeyReader;
  usage: Usage;
  smokeTest: SmokeTested["smokeTest"];
}

export type Service<Store> = (remainingMs: () => number) => Invocation<Store>;

export interface Settings {
  TABLE_NAME?: string | undefined;
  KEY_CACHE_SECONDS?: string | undefined;
  DOCUMENT_CACHE_SECONDS?: string | undefined;
  /** Lambda sets it: burgee-STAGE-read. */
  AWS_LAMBDA_FUNCTION_NAME?: string | undefined;
}

export interface ServiceOptions {
  client?: Client;
  /** The keys that a warm sandbox has read. */
  keyCache?: KeyCache;
  /** Calls the table at once; the first look-up of a key waits for that. */
  isWarmedUp?: boolean;
  /** Where the files beside the function are. */
  folder?: string;
}

export function createService<Store extends SmokeTested>(
  createStore: (session: Session) => Store,
  { TABLE_NAME, KEY_CACHE_SECONDS }: Settings,
  { client = createClient(), keyCache: cache = new Map(), isWarmedUp = false }: ServiceOptions = {},
): Service<Store> {
  if (!TABLE_NAME) throw new Error("TABLE_NAME is not set: the name of the DynamoDB table");
  const seconds = toSeconds("KEY_CACHE_SECONDS", KEY_CACHE_SECONDS, 30);
  const warm = isWarmedUp ? warmUp(client, TABLE_NAME) : undefined;
  return (remainingMs) => {
    const session = openSession({ client, table: TABLE_NAME, remainingMs });
    const store = createStore(session);
    return {
      store,
      clock: { sleep, remainingMs },
      keys: {
        async readApiKey(hash) {
          // Otherwise the first read would open a second connection.
          await warm;
          return getItem<ApiKeyItem>(session, apiKeyTableKey(hash));
        },
        cache,
        seconds,
      },
      usage: session.usage,
      smokeTest: () => store.smokeTest(),
    };
  };
}

export function createDocumentCache({ DOCUMENT_CACHE_SECONDS }: Settings): DocumentCache {
  const seconds = toSeconds("DOCUMENT_CACHE_SECONDS", DOCUMENT_CACHE_SECONDS, 5);
  return { seconds, entries: new Map() };
}

function toSeconds(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d+$/.test(text)) throw new Error(`${name} is "${text}": expected a whole number from 0 up`);
  return Number(text);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
