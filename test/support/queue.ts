/** Adds queues of requests that wait to write an environment. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { type QueueItem, queueKey } from "../../lib/store/items.ts";
import type { Burgee } from "./burgee.ts";
import { addFeature } from "./seed.ts";
import type { Call } from "./wire.ts";

/** Adds a feature with one environment, whose tickets up to this one are not served. */
export async function addQueue(burgee: Burgee, lastTicket: number): Promise<string> {
  const feature = await addFeature(burgee, { project: "queued", environments: { production: [] } });
  await addTickets(burgee, feature, lastTicket);
  return feature;
}

export async function addTickets(
  { session, wire }: Burgee,
  feature: string,
  lastTicket: number,
): Promise<void> {
  const Item: QueueItem = { ...queueKey(feature, "production"), lastTicket };
  const put = new PutCommand({ TableName: session.table, Item });
  await session.send(put);
  wire.reset();
}

export function isTicket({ operation, input }: Call): boolean {
  return operation === "UpdateItem" && String(input.UpdateExpression).includes("lastTicket");
}
