/** Lists the features of the table for the patch page, which the API does not: a development aid of the local server. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { authenticate, createKeyCache } from "../../lib/access/authenticate.ts";
import { type ApiKeyItem, apiKeyKey, getItem } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { readTable } from "../store/read-table.ts";

/** Any valid API key may read every feature, so it may see the list. */
export async function sendFeatures(
  session: Session,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const readApiKey = (hash: string) => getItem<ApiKeyItem>(session, apiKeyKey(hash));
  try {
    await authenticate(headers.authorization, { readApiKey, cache: createKeyCache({ seconds: 0 }) });
    const { features } = await readTable(session);
    const items = [...features.values()].flatMap(({ item }) => item ?? []);
    const list = items.map(({ name, project }) => ({ feature: name, project }));
    list.sort((left, right) => left.feature.localeCompare(right.feature, "en"));
    response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify(list));
  } catch {
    // The page does without the list.
    response.writeHead(404).end();
  }
}
