/** Wires the service: the settings, what a warm sandbox keeps, what an invocation gets. */
import { type ApiKeys, createKeyCache, type KeyCache } from "./access/authenticate.ts";
import type { Clock } from "./clock.ts";
import type { SmokeTested } from "./features/stores.ts";
import { type Client, createClient, warmUp } from "./store/dynamodb/client.ts";
import { openSession, type Session, type Usage } from "./store/dynamodb/session.ts";
import { type ApiKeyItem, apiKeyTableKey } from "./store/items/items.ts";
import { getItem } from "./store/read-items.ts";

export interface Invocation<Store> {
  store: Store;
  clock: Clock;
  keys: ApiKeys;
  usage: Usage;
}

/** Opens an invocation: its store, its clock, and the API keys. */
export type OpenInvocation<Store> = (remainingMs: () => number) => Invocation<Store>;

export interface Settings {
  TABLE_NAME?: string | undefined;
  KEY_CACHE_SECONDS?: string | undefined;
  DOCUMENT_CACHE_SECONDS?: string | undefined;
  /** The name of the function, such as burgee-STAGE-read. Lambda sets it. */
  AWS_LAMBDA_FUNCTION_NAME?: string | undefined;
}

export interface ServiceOptions {
  client?: Client;
  /** The keys that a warm sandbox has read. */
  keyCache?: KeyCache;
  /** Calls the table at once; the first look-up of a key waits for that. */
  warmsUp?: boolean;
  /** The folder of the files beside the function. */
  folder?: string;
}

/** Creates the client and the cache that a warm sandbox keeps, and returns the function that opens an invocation. */
export function prepareInvocations<Store extends SmokeTested>(
  createStore: (session: Session) => Store,
  settings: Settings,
  { client = createClient(), keyCache, warmsUp = false }: ServiceOptions = {},
): OpenInvocation<Store> {
  const { TABLE_NAME } = settings;
  if (!TABLE_NAME) throw new Error("TABLE_NAME is not set: the name of the DynamoDB table");
  const cache = keyCache ?? createKeyCache(secondsIn(settings, "KEY_CACHE_SECONDS", 30));
  const warm = warmsUp ? warmUp(client, TABLE_NAME) : undefined;
  return (remainingMs) => {
    const session = openSession({ client, table: TABLE_NAME, remainingMs });
    return {
      store: createStore(session),
      clock: { sleep, remainingMs },
      keys: {
        async readApiKey(hash) {
          // Without waiting, the first read would open a second connection.
          await warm;
          return getItem<ApiKeyItem>(session, apiKeyTableKey(hash));
        },
        cache,
      },
      usage: session.usage,
    };
  };
}

/** Reads a setting that is a number of seconds. */
export function secondsIn(settings: Settings, name: keyof Settings, fallback: number): number {
  const text = settings[name];
  if (text === undefined) return fallback;
  if (!/^\d+$/.test(text)) throw new Error(`${name} is "${text}": expected a whole number from 0 up`);
  return Number(text);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
