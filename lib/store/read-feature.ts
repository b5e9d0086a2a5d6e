/** Reads a feature with all its environments (a query), or with one of them (two parallel reads). */
import type { EnvironmentState, Feature, IdempotentRequest, Target } from "../features/feature.ts";
import { changesOf } from "./change-list.ts";
import {
  type EnvironmentItem,
  environmentKey,
  featureKey,
  getItem,
  isEnvironmentItem,
  isFeatureItem,
  isQueueItem,
  isStorableEnvironment,
  isStorableName,
  type Key,
  type QueueItem,
  queueKey,
  readPartition,
} from "./items.ts";
import { fromStoredWrite, isRecord, readMovedRecords } from "./retry-list.ts";
import type { Session } from "./session.ts";

export async function readFeature(
  session: Session,
  { feature: name, environment }: Target,
  idempotency?: IdempotentRequest,
): Promise<Feature | undefined> {
  if (!isStorableName(name)) return undefined;
  const items =
    environment === undefined
      ? await readPartition(session, featureKey(name).pk)
      : await readTwo(session, name, environment);
  const feature = items.find(isFeatureItem);
  if (!feature) return undefined;
  const { project } = feature;
  const found = new Map(items.filter(isEnvironmentItem).map((item) => [item.environment, item]));
  // An environment without its item is being removed with its feature: the feature no longer has it.
  const environments = feature.environments.flatMap((one) => found.get(one) ?? []);
  // Otherwise the feature was deleted, and created again in another project, between the two reads.
  const isOneFeature = environments.every((item) => item.project === project);
  if (!isOneFeature) return undefined;
  const states = await toStates(session, name, environments, idempotency, items.filter(isQueueItem));
  return { name, project, environments: states };
}

/**
 * States of environments, with the earlier writes of a retried request. A record gets an item of its own before it
 * leaves the list, so such items are read after the list, and only if any record has ever moved. A record of a later
 * revision than the environment's was made in between: then the environment is read again.
 */
export async function toStates(
  session: Session,
  feature: string,
  items: readonly EnvironmentItem[],
  idempotency: IdempotentRequest | undefined,
  queues: readonly QueueItem[] = [],
): Promise<EnvironmentState[]> {
  const states = items.map((item) => toState(item, idempotency, queues));
  const isIncomplete = states.some(({ earlierWrite, hasMovedRecords }) => !earlierWrite && hasMovedRecords);
  if (!idempotency || !isIncomplete) return states;
  const moved = await readMovedRecords(session, idempotency.key);
  return Promise.all(
    states.map(async (state) => {
      const earlierWrite = state.earlierWrite ?? moved.get(state.uid);
      if (!earlierWrite || earlierWrite.revision <= state.revision) return { ...state, earlierWrite };
      const latest = await getItem<EnvironmentItem>(session, environmentKey(feature, state.environment));
      const [again] = latest ? await toStates(session, feature, [latest], idempotency, queues) : [];
      return again ?? state;
    }),
  );
}

function toState(
  item: EnvironmentItem,
  idempotency: IdempotentRequest | undefined,
  queues: readonly QueueItem[],
): EnvironmentState {
  const { environment, uid, revision, variants, hasMovedRecords = false } = item;
  const queue = queues.find(({ sk }) => sk === queueKey("", environment).sk);
  const served = Math.max(item.served ?? 0, queue?.givenUp ?? 0);
  const lastTicket = queue?.lastTicket ?? served;
  const writes = item.writes.map(fromStoredWrite);
  const history = { changes: changesOf(item), droppedAt: item.droppedAt };
  const earlierWrite = idempotency && writes.filter(isRecord).find(({ key }) => key === idempotency.key);
  const stored = { environment, uid, revision, variants, writes, hasMovedRecords, ...history };
  return { ...stored, earlierWrite, served, lastTicket };
}

/** In parallel, instead of a query that reads every environment. */
async function readTwo(session: Session, feature: string, environment: string): Promise<Key[]> {
  const keys = [
    featureKey(feature),
    ...(isStorableEnvironment(environment) ? [environmentKey(feature, environment)] : []),
  ];
  const items = await Promise.all(keys.map((key) => getItem(session, key)));
  return items.filter((item) => item !== undefined);
}
