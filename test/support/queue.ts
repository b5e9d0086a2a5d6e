/** Queues of requests that wait to write an environment. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { type QueueItem, queueKey } from "../../lib/store/items.ts";
import type { Burgee } from "./burgee.ts";
import { addFeature } from "./seed.ts";
import type { Call } from "./wire.ts";

/** A feature of one environment whose last ticket is this; none of them was served. */
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
