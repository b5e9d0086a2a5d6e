/** Looks an API key up by its hash. */
import type { ApiKey, ApiKeyStore } from "../access/api-key-store.ts";
import { getItem } from "./get-item.ts";
import { type ApiKeyItem, apiKeyKey } from "./items.ts";
import type { Session } from "./session.ts";

export function createApiKeyStore(session: Session): ApiKeyStore {
  return {
    async readApiKey(hash) {
      const item = await getItem<ApiKeyItem>(session, apiKeyKey(hash));
      return item && toApiKey(item);
    },
  };
}

function toApiKey({ name, permissions, expiresAt, disabled = false }: ApiKeyItem): ApiKey {
  return { name, permissions, disabled, ...(expiresAt !== undefined && { expiresAt }) };
}
