/** Reads a feature with all its environments (a query), or with one of them (two parallel reads). */
import type { EnvironmentState, Feature, IdempotentRequest, Target } from "../features/feature.ts";
import { readMovedRecords } from "./idempotency-items.ts";
import {
  type EnvironmentItem,
  environmentKey,
  type FeatureItem,
  featureKey,
  isEnvironmentItem,
  isFeatureItem,
  isQueueItem,
  isStorableEnvironment,
  isStorableName,
  type Key,
  type QueueItem,
  queueKey,
} from "./items.ts";
import { getItem, readPartition } from "./read-items.ts";
import { type Memory, toMemory } from "./remembered-writes.ts";
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
  const environments = items.filter(isEnvironmentItem);
  const feature = await latestFeature(session, items.find(isFeatureItem), environments);
  return (
    feature &&
    toFeature(feature, await toStates(session, environments, idempotency, items.filter(isQueueItem)))
  );
}

/**
 * The feature's item, read once more if an environment is in another project: then the feature was moved between the
 * two reads, or a move was interrupted. Without it, a key of the old project could write to the moved feature.
 */
async function latestFeature(
  session: Session,
  feature: FeatureItem | undefined,
  environments: readonly EnvironmentItem[],
): Promise<FeatureItem | undefined> {
  const isElsewhere = environments.some(
    ({ project }) => project !== undefined && project !== feature?.project,
  );
  return feature && isElsewhere ? getItem<FeatureItem>(session, featureKey(feature.name)) : feature;
}

/**
 * States of environments, with the earlier writes of a retried request. A record gets an item of its own before it
 * leaves the list, so such items are read after the list, and only if any record has ever moved.
 */
export async function toStates(
  session: Session,
  items: readonly EnvironmentItem[],
  idempotency: IdempotentRequest | undefined,
  queues: readonly QueueItem[] = [],
): Promise<EnvironmentState[]> {
  const states = items.map((item) => toState(item, idempotency, queues));
  const isIncomplete = states.some(
    ({ earlierWrite, memory }) => !earlierWrite && memory.movedAt !== undefined,
  );
  if (!idempotency || !isIncomplete) return states;
  const moved = await readMovedRecords(session, idempotency.key);
  return states.map((state) => ({
    ...state,
    earlierWrite: state.earlierWrite ?? moved.get(state.memory.bornUid ?? state.uid ?? ""),
  }));
}

function toState(
  item: EnvironmentItem,
  idempotency: IdempotentRequest | undefined,
  queues: readonly QueueItem[],
) {
  const { environment, uid, uidSince, project, revision, variants } = item;
  const queue = queues.find(({ sk }) => sk === queueKey("", environment).sk);
  const served = Math.max(item.served ?? 0, queue?.givenUp ?? 0);
  const lastTicket = queue?.lastTicket ?? served;
  const memory: Memory = toMemory(item);
  const earlierWrite = idempotency && memory.records.find(({ key }) => key === idempotency.key);
  const stored = { environment, uid, uidSince, project, revision, variants };
  return { ...stored, memory, earlierWrite, served, lastTicket };
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

/** An environment without its item is being removed with its feature: the feature no longer has it. */
function toFeature(
  { name, project, environments }: FeatureItem,
  states: readonly EnvironmentState[],
): Feature {
  const byName = new Map(states.map((state) => [state.environment, state]));
  return {
    name,
    project,
    environments: environments.flatMap((environment) => byName.get(environment) ?? []),
  };
}
