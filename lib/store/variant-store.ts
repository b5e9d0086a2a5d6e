/** The store of variants: reads a feature, writes one environment at a time, and keeps the queue of those who wait. */
import { UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import type { EnvironmentState } from "../features/feature.ts";
import type { Place, ReadOptions, VariantStore } from "../features/stores.ts";
import { type EnvironmentItem, environmentKey, getItem, type QueueItem, queueKey } from "./items.ts";
import { readFeature, toStates } from "./read-feature.ts";
import type { Session } from "./session.ts";
import { requireRoomForVariants, writeVariants } from "./write-variants.ts";

export function createVariantStore(session: Session): VariantStore {
  return {
    readFeature: (target, idempotency) => readFeature(session, target, idempotency),
    writeVariants: (write) => writeVariants(session, write),
    requireRoomForVariants,
    readEnvironment: (place, options) => readEnvironment(session, place, options),
    takeTicket: (place, served) => takeTicket(session, place, served),
    giveUpTurn: (place, ticket) => giveUpTurn(session, place, ticket),
  };
}

async function readEnvironment(
  session: Session,
  { feature, environment }: Place,
  { idempotency, withQueue }: ReadOptions,
): Promise<EnvironmentState | undefined> {
  const [item, queue] = await Promise.all([
    getItem<EnvironmentItem>(session, environmentKey(feature, environment)),
    withQueue ? getItem<QueueItem>(session, queueKey(feature, environment)) : undefined,
  ]);
  const [state] = await toStates(session, feature, item ? [item] : [], idempotency, queue ? [queue] : []);
  return state;
}

/** If it is retried, it may take two: the first is passed over, like that of a request that died. */
async function takeTicket(session: Session, place: Place, served: number): Promise<number> {
  const { Attributes } = await updateQueue(session, place, {
    UpdateExpression: "SET lastTicket = if_not_exists(lastTicket, :served) + :one",
    ExpressionAttributeValues: { ":served": served, ":one": 1 },
    ReturnValues: "ALL_NEW",
  });
  return Attributes?.lastTicket;
}

/** Fails if a later ticket was given up. */
async function giveUpTurn(session: Session, place: Place, ticket: number): Promise<void> {
  await updateQueue(session, place, {
    ConditionExpression: "attribute_not_exists(givenUp) OR givenUp < :ticket",
    UpdateExpression: "SET givenUp = :ticket",
    ExpressionAttributeValues: { ":ticket": ticket },
  });
}

function updateQueue(
  { table, send }: Session,
  { feature, environment }: Place,
  update: Omit<UpdateCommandInput, "TableName" | "Key">,
) {
  return send(new UpdateCommand({ ...update, TableName: table, Key: queueKey(feature, environment) }));
}
