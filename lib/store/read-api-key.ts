/** Looks an API key up by its hash. */
import type { ApiKey } from "../access/authenticate.ts";
import { getItem } from "./get-item.ts";
import { type ApiKeyItem, apiKeyKey } from "./items.ts";
import type { Session } from "./session.ts";

export async function readApiKey(session: Session, hash: string): Promise<ApiKey | undefined> {
  const item = await getItem<ApiKeyItem>(session, apiKeyKey(hash));
  if (!item) return undefined;
  const { name, permissions, expiresAt, disabled = false } = item;
  return { name, permissions, expiresAt, disabled };
}
