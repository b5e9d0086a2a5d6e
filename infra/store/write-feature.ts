/** Creates, updates and deletes whole features. A feature that can be found is complete at every moment. */
import { isDeepStrictEqual } from "node:util";
import { aspectsTouched, nextState } from "../../lib/features/changes.ts";
import type { Stamp } from "../../lib/features/stamp.ts";
import { olderIdsAfter } from "../../lib/features/update-tags.ts";
import { toEnvironmentState, writeEnvironment } from "../../lib/store/environment-store.ts";
import type { EnvironmentItem, FeatureItem } from "../../lib/store/items.ts";
import { putChangeItems } from "../../lib/store/keep-changes.ts";
import { readChangeItems } from "../../lib/store/read-changes.ts";
import type { Session } from "../../lib/store/session.ts";
import type { FeatureContent } from "./content.ts";
import { environmentItem, featureItem, type NewEnvironment } from "./new-items.ts";
import type { StoredFeature } from "./read-table.ts";
import { concurrentChange, removeItem, replaceItem, unlessConflict } from "./replace-item.ts";

/** Environments are written before the feature that lists them, and deleted after it no longer does. */
export async function writeFeature(
  session: Session,
  stored: StoredFeature | undefined,
  after: FeatureContent,
  stamp: Stamp,
): Promise<void> {
  const { name: feature, project } = after;
  const before = stored?.item;
  const had = before?.environments ?? [];
  for (const [environment, content] of after.environments) {
    const known = stored?.environments.get(environment);
    const write = { project, feature, environment, ...content, stamp };
    if (known && had.includes(environment)) await setContent(session, write, known);
    else await createEnvironment(session, write, known);
  }
  await writeItem(session, before, featureItem(after, stamp));
  for (const environment of had.filter((one) => !after.environments.has(one))) {
    await deleteEnvironment(session, stored?.environments.get(environment));
  }
}

/** Whether something of it was written with this stamp. */
export function hasPartOf({ item, environments }: StoredFeature, { id }: Stamp): boolean {
  const hasStamp = ({ created, last, earlier, olderIds }: EnvironmentItem) =>
    [created, last, ...earlier].some((stamp) => stamp?.id === id) || olderIds.includes(id);
  const updates = item ? [item.changed.id, ...item.olderIds] : [];
  return updates.includes(id) || [...environments.values()].some(hasStamp);
}

/** A creation ends within this time. */
const creationMs = 2000;

/** Refused while another command creates the feature: its environments are not left over from an earlier one. */
export function requireNotBeingCreated({ item, environments }: StoredFeature, { id }: Stamp): void {
  const isNew = ({ created }: EnvironmentItem) =>
    created.id !== id && Math.abs(Date.now() - Date.parse(created.at)) < creationMs;
  if (!item && [...environments.values()].some(isNew)) throw concurrentChange();
}

/** Writes as the handlers do: the next revision. Refused if the environment was changed since it was read. */
async function setContent(
  session: Session,
  { feature, stamp, ...content }: NewEnvironment,
  known: EnvironmentItem,
): Promise<void> {
  const before = toEnvironmentState(known);
  if (aspectsTouched(before, content).length === 0) return;
  // A retry leaves alone what it has written already: patches have followed.
  const isCarried = before.carried.some(({ id }) => id === stamp.id);
  if (isCarried || (await readChangeItems(session, stamp.id)).has(before.uid)) return;
  await putChangeItems(session, feature, [before]);
  const after = nextState(before, content, stamp);
  const { written } = await writeEnvironment(session, feature, before, after);
  if (!written) throw concurrentChange();
}

/**
 * Creates the environment, or replaces an item that is left over from an earlier feature of the name. Refused if another
 * operator has created it since it was read: the new environment may be in use by now.
 */
async function createEnvironment(
  session: Session,
  created: NewEnvironment,
  leftover: EnvironmentItem | undefined,
): Promise<void> {
  const revision = (leftover?.revision ?? 0) + 1;
  // Each attempt gets another uid: a put that arrives late, after the environment was deleted, does not restore what was read.
  const make = (): EnvironmentItem => ({ ...environmentItem(created), revision });
  await replaceItem(session, leftover, make);
}

/** Writes the feature's item, unless its tags and its list of environments are the same. */
async function writeItem(
  session: Session,
  before: FeatureItem | undefined,
  created: FeatureItem,
): Promise<void> {
  const isSame = (member: "tags" | "environments") => isDeepStrictEqual(before?.[member], created[member]);
  if (isSame("tags") && isSame("environments")) return;
  const item = before ? nextItem(before, created) : created;
  await replaceItem(session, before, () => item);
}

function nextItem(before: FeatureItem, created: FeatureItem): FeatureItem {
  const { uid, revision } = before;
  return { ...created, uid, revision: revision + 1, olderIds: olderIdsAfter(before) };
}

/** Refused if the feature was deleted and created again since it was read. */
export async function deleteFeature(session: Session, { item, environments }: StoredFeature): Promise<void> {
  if (item) await removeItem(session, item);
  for (const stored of environments.values()) await deleteEnvironment(session, stored);
}

async function deleteEnvironment(session: Session, stored: EnvironmentItem | undefined): Promise<void> {
  if (stored) await removeItem(session, stored).catch(unlessConflict);
}
