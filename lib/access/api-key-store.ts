/** What looking a key up asks of a store. */
import type { Permit } from "../contract/permissions.ts";

export interface ApiKey {
  name: string;
  permissions: readonly Permit[];
  /** An RFC 3339 time; without one it does not expire. */
  expiresAt?: string;
  disabled: boolean;
}

export interface ApiKeyStore {
  readApiKey(hash: string): Promise<ApiKey | undefined>;
}
