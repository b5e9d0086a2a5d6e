/**
 * Reads and writes environments, and is all that the function `variants` needs of the table. A write requires the
 * revision that was read. Creations and deletions of features have modules of their own.
 */
import { NotFoundError, notInProject } from "../contract/errors.ts";
import type { WritableState } from "../features/change/outcome.ts";
import type { EnvironmentState, FeatureState, Target } from "../features/model.ts";
import type { FeatureStore, GuardCandidate, GuardTarget, WriteResult } from "../features/stores.ts";
import { createFeature } from "./create-feature.ts";
import { deleteFeatureForCaller, restoreFeatureForCaller } from "./delete-and-restore.ts";
import type { Session } from "./dynamodb/session.ts";
import {
  type AnyItem,
  type EnvironmentItem,
  environmentTableKey,
  featureTableKey,
  type GuardedItem,
  guardPartition,
  isEnvironmentItem,
  isFeatureItem,
  isStorableName,
  type SetAtCreation,
} from "./items/items.ts";
import {
  changedAttributes,
  type StoredContent,
  toEnvironmentState,
  toStoredChange,
} from "./items/stored-content.ts";
import { prepareWrite, prepareWrites } from "./prepare-writes.ts";
import { listReadBytes, readChangeItems, readNewestChanges } from "./read-changes.ts";
import { getItem, readPartition, readProjectEnvironmentNames, requireStoredProject } from "./read-items.ts";
import { withMessageForCaller } from "./replace-item.ts";
import {
  runSmokeTest,
  tryBatchGet,
  tryBatchWrite,
  tryDelete,
  tryGetFeatureAndProject,
  tryPut,
  tryQuery,
  tryUpdate,
} from "./smoke-test.ts";
import { toTagState } from "./tag-store.ts";
import { updateItem } from "./update-item.ts";

const smokeTestCalls = {
  BatchGetItem: tryBatchGet,
  BatchWriteItem: tryBatchWrite,
  DeleteItem: tryDelete,
  GetItem: tryGetFeatureAndProject,
  PutItem: tryPut,
  Query: tryQuery,
  UpdateItem: tryUpdate,
};

export function createFeatureStore(session: Session): FeatureStore {
  return {
    readEnvironments: async (target) => (await readTarget(session, target)).states,
    readFeature: (target) => readFeature(session, target),
    readStoredEnvironment: (feature, environment) => readStoredEnvironment(session, feature, environment),
    readChangeItems: (id) => readChangeItems(session, id),
    readGuardCandidates: (guard) => readGuardCandidates(session, guard),
    requireProjectEnvironment: (project, environment) =>
      requireProjectEnvironment(session, project, environment),
    readNewestChanges: (states) => readNewestChanges(session, states, { maxBytes: listReadBytes }),
    prepareWrites: (target, planned) => prepareWrites(session, target, planned),
    prepareWrite: (target, planned) => prepareWrite(session, target, planned),
    createFeature: (clock, { project, feature: name }, stamp) =>
      withMessageForCaller(name, createFeature(session, clock, { project, name }, stamp)),
    deleteFeature: (clock, target, preconditions, stamp) =>
      withMessageForCaller(
        target.feature,
        deleteFeatureForCaller(session, clock, target, preconditions, stamp),
      ),
    restoreFeature: (clock, target, stamp) =>
      withMessageForCaller(target.feature, restoreFeatureForCaller(session, clock, target, stamp)),
    writeEnvironment: (feature, before, after) => writeEnvironment(session, feature, before, after),
    smokeTest: () => runSmokeTest(session, smokeTestCalls),
  };
}

async function readFeature(session: Session, target: Target): Promise<FeatureState> {
  const { feature, states } = await readTarget(session, target);
  return { tagState: toTagState(feature), states };
}

async function readTarget(session: Session, target: Target) {
  const { project, feature: name, environment } = target;
  const first = await readTargetOnce(session, target);
  // A query that began before the feature was created may have passed the place of an environment that was written
  // later. An environment that is absent after a second read is being removed with its feature.
  const { feature, environments } = first.isWhole ? first : await readTargetOnce(session, target);
  // If a project differs, the feature was deleted and created again in another project between the reads.
  const isOneFeature = environments.every((item) => item.project === project);
  if (feature?.project !== project || !isOneFeature) {
    await requireStoredProject(session, project);
    throw notInProject(project, "feature", name);
  }
  if (environment !== undefined && environments.length === 0) {
    throw new NotFoundError(`Feature "${name}" has no environment "${environment}"`);
  }
  return { feature, states: environments.map(toEnvironmentState) };
}

/** Reads the feature's item, and the items of its environments that the target names. */
async function readTargetOnce(session: Session, target: Target) {
  const items = await queryOrGetItems(session, target);
  const feature = items.find(isFeatureItem);
  const stored = new Map(items.filter(isEnvironmentItem).map((item) => [item.environment, item]));
  const inFeature = feature?.environments ?? [];
  const listed = inFeature.filter((name) => name === (target.environment ?? name));
  const environments = listed.flatMap((name) => stored.get(name) ?? []);
  return { feature, environments, isWhole: environments.length === listed.length };
}

/** For one environment two reads cost less than a query, which would read every environment. */
async function queryOrGetItems(session: Session, { feature, environment }: Target): Promise<AnyItem[]> {
  if (!isStorableName(feature)) return [];
  if (environment === undefined) return readPartition(session, featureTableKey(feature).pk);
  const items = await Promise.all([
    getItem(session, featureTableKey(feature)),
    isStorableName(environment) ? getItem(session, environmentTableKey(feature, environment)) : undefined,
  ]);
  return items.filter((item) => item !== undefined);
}

async function requireProjectEnvironment(
  session: Session,
  project: string,
  environment: string,
): Promise<void> {
  const known = await readProjectEnvironmentNames(session, project);
  if (!known.includes(environment)) {
    throw notInProject(project, "environment", environment);
  }
}

async function readGuardCandidates(
  session: Session,
  { project, environment, guardName }: GuardTarget,
): Promise<GuardCandidate[]> {
  const items = await readPartition(session, guardPartition(project, environment, guardName));
  // DynamoDB deletes an item up to some days after its time.
  const mayBeGuarded = ({ ttl }: GuardedItem) => Date.now() < ttl * 1000;
  return (items as GuardedItem[])
    .filter(mayBeGuarded)
    .map(({ feature, changeId }) => ({ feature, changeId }));
}

async function readStoredEnvironment(
  session: Session,
  feature: string,
  environment: string,
): Promise<EnvironmentState | undefined> {
  const item = await getItem<EnvironmentItem>(session, environmentTableKey(feature, environment));
  return item && toEnvironmentState(item);
}

export function writeEnvironment(
  session: Session,
  feature: string,
  before: WritableState,
  { revision, carried, droppedIds, top, ...content }: EnvironmentState,
): Promise<WriteResult<EnvironmentState>> {
  const [newest, ...rest] = carried.map(toStoredChange);
  const changed = newest && changedAttributes(content, newest);
  const attributes: WrittenAttributes = {
    revision,
    // Each event has the reason of the newest change (infra/aws/events.yml), so a reason is always stored.
    carriedNewest: newest && { ...newest, reason: newest.reason ?? "" },
    carriedRest: rest,
    droppedIds,
    top,
  };
  return updateItem<EnvironmentItem, EnvironmentState>(
    session,
    environmentTableKey(feature, before.environment),
    {
      before,
      attributes: { ...attributes, ...changed },
      toState: toEnvironmentState,
    },
  );
}

/** The attributes that a write sends beside the content. The compiler names one that is missing. */
type WrittenAttributes = {
  [Name in Exclude<
    keyof EnvironmentItem,
    keyof StoredContent | SetAtCreation | "feature" | "environment" | "created" | "reservation"
  >]-?: EnvironmentItem[Name] | undefined;
} & Pick<EnvironmentItem, "revision">;
