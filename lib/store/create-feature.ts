/**
 * Creates features. A creation writes in this order, so a feature that is found has every environment that it lists:
 *
 *   put   the reservation of the name, on the condition that there is none, or that of an interrupted creation
 *   put   each environment, on the condition that it is as it was read: absent, or left over
 *   put   the feature's item, on the condition that it replaces this reservation
 *
 * Environments that the project gets meanwhile are added afterwards.
 */
import { isDeepStrictEqual } from "node:util";
import { type Clock, reservationMs } from "../clock.ts";
import { ConflictError, toApiError } from "../contract/errors.ts";
import type { Tag } from "../contract/tags.ts";
import { type EnvironmentContent, emptyContent } from "../features/model.ts";
import { earlierWriteIdsAfter, type Stamp } from "../features/stamp.ts";
import { tagsOf } from "../features/tags/tag-list.ts";
import type { Session } from "./dynamodb/session.ts";
import { authorshipOf, type EnvironmentItem, type FeatureItem, type ReservationItem } from "./items/items.ts";
import { environmentItem, featureItem, type NewEnvironment, reservationItem } from "./items/new-items.ts";
import { completeDeletion } from "./leftovers.ts";
import { readProjectEnvironmentNames, readStoredFeature } from "./read-items.ts";
import { ConcurrentChange, replaceItem, runRounds } from "./replace-item.ts";

export interface FeatureToCreate {
  project: string;
  name: string;
  tags?: readonly Tag[];
  /** The content in each environment. By default the feature is off and without variants there. */
  contents?: ReadonlyMap<string, EnvironmentContent>;
  /** The id of the deletion that this takes back. */
  restores?: string;
  /** Throws if the content is out of date. Called while the name is reserved, when no other request can change that. */
  requireCurrent?: () => Promise<void>;
}

/**
 * Creates the feature in every environment of the project, in rounds. A retry, whose stamp has the same id, finds what it
 * has created, and completes it.
 */
export async function createFeature(
  session: Session,
  clock: Clock,
  feature: FeatureToCreate,
  stamp: Stamp,
): Promise<void> {
  const align = (listed: readonly string[]) =>
    runRounds(clock, () => alignWithProject(session, listed, feature, stamp)).catch(
      rethrowAsPerhapsIncomplete,
    );
  let listed: readonly string[] | undefined = await runRounds(clock, () =>
    runCreationRound(session, feature, stamp),
  );
  // A concurrent `project put` adds new environments to the features that it finds, but perhaps not to this one.
  while (listed) listed = await align(listed);
}

/**
 * Creates the feature, unless an earlier attempt or round has created it. Returns the environments that the feature lists.
 */
async function runCreationRound(
  session: Session,
  feature: FeatureToCreate,
  stamp: Stamp,
): Promise<readonly string[]> {
  const { project, name, tags = [], restores, requireCurrent } = feature;
  const environments = await readProjectEnvironmentNames(session, project);
  const stored = await readStoredFeature(session, name);
  if (stored.item) {
    if (!isCreatedBy(stamp, stored.item, project)) throw alreadyExists(stored.item, project);
    return stored.item.environments;
  }
  const reservation = await reserveName(session, name, stored.reservation, stamp);
  // Completes an interrupted deletion before its environments are replaced, so that the kept content has the
  // patches that were written since.
  if (await completeDeletion(session, stored)) return runCreationRound(session, feature, stamp);
  await requireCurrent?.();
  for (const environment of environments) {
    const existing = stored.environments.get(environment);
    // An earlier round or another attempt has put it. It may be in use by now: a parallel attempt may have stored the
    // feature since.
    if (existing?.reservation === reservation.uid) continue;
    const created = { ...newEnvironment(feature, environment, stamp), reservation: reservation.uid };
    await createEnvironment(session, created, existing);
  }
  const item = {
    ...featureItem({ name, project, environments, tags }, stamp),
    creation: { ...authorshipOf(stamp), ...(restores !== undefined && { restores }) },
  };
  return (await replaceItem(session, reservation, () => item)).environments;
}

/**
 * Makes the feature list exactly the environments of the project, in the project's order: creates those that the feature
 * lacks, and drops those that the project has lost. Returns the new list, or undefined if there was nothing to align: the
 * feature lists them already, or was deleted since.
 */
async function alignWithProject(
  session: Session,
  listed: readonly string[],
  feature: FeatureToCreate,
  stamp: Stamp,
): Promise<readonly string[] | undefined> {
  const { project, name } = feature;
  const environmentNames = await readProjectEnvironmentNames(session, project);
  if (isDeepStrictEqual(environmentNames, listed)) return undefined;
  const { item: before, environments } = await readStoredFeature(session, name);
  if (!before || !isCreatedBy(stamp, before, project)) return undefined;
  for (const environment of environmentNames) {
    const stored = environments.get(environment);
    if (stored && before.environments.includes(environment)) continue;
    await createEnvironment(session, newEnvironment(feature, environment, stamp), stored);
  }
  const item = featureItem(
    { name, project, environments: environmentNames, tags: tagsOf(before.tags) },
    stamp,
  );
  return (await updateFeatureItem(session, before, item)).environments;
}

function newEnvironment(
  { project, name: feature, contents }: FeatureToCreate,
  environment: string,
  stamp: Stamp,
): NewEnvironment {
  return { project, feature, environment, ...(contents?.get(environment) ?? emptyContent), stamp };
}

function rethrowAsPerhapsIncomplete(thrown: unknown): never {
  const error = toApiError(thrown);
  const reason = error instanceof ConcurrentChange ? "The feature was changed concurrently" : error.message;
  const message = `${reason}; the feature is stored, perhaps without some of its environments`;
  throw error.with({ message, code: "outcome-unknown" });
}

/**
 * Whether a request with this stamp has created the feature in the project. No hash of the request is compared: a
 * creation and a restoration ask for a name alone, and their ids differ, because only the path of a restoration has the
 * name.
 */
export function isCreatedBy({ id }: Stamp, { project, creation }: FeatureItem, inProject: string): boolean {
  return project === inProject && creation?.id === id;
}

export function alreadyExists({ name, project }: FeatureItem, wanted: string): ConflictError {
  // The other project is not named, because the caller may lack the permission to read it.
  const where = project === wanted ? `, in project "${project}"` : " in another project: names are unique";
  return new ConflictError(`The feature "${name}" already exists${where}`, { code: "exists" });
}

/**
 * Reserves the name before the environments are written. The feature's item can replace this reservation only: if another
 * creation has reserved the name since, and replaces the environments, this one does not store the feature. A retry goes
 * on with the reservation of an earlier attempt.
 */
export async function reserveName(
  session: Session,
  name: string,
  before: ReservationItem | undefined,
  { id }: Stamp,
): Promise<ReservationItem> {
  requireNotReserved(before, id);
  const isOwn = before?.reservedBy.id === id;
  if (isOwn && isRecent(before)) return before;
  const reservation = reservationItem(name, id);
  await replaceItem(session, before, () => reservation);
  return reservation;
}

/** Throws if another creation reserved the name a moment ago: it may still run. */
export function requireNotReserved(reservation: ReservationItem | undefined, id?: string): void {
  if (reservation && reservation.reservedBy.id !== id && isRecent(reservation)) throw new ConcurrentChange();
}

function isRecent({ reservedBy }: ReservationItem): boolean {
  return Math.abs(Date.now() - Date.parse(reservedBy.at)) < reservationMs;
}

/**
 * Creates the environment, or replaces an item that is left over from an earlier feature of this name. Throws if
 * another request has created it since it was read: the new environment may be in use by now.
 */
export async function createEnvironment(
  session: Session,
  environment: NewEnvironment,
  leftover: EnvironmentItem | undefined,
): Promise<void> {
  const revision = (leftover?.revision ?? 0) + 1;
  // Each send has a uid of its own. So a send that arrives after the environment was deleted creates another one, and
  // does not bring back the deleted one.
  const make = (): EnvironmentItem => ({ ...environmentItem(environment), revision });
  await replaceItem(session, leftover, make);
}

/** Writes the feature's item, unless its tags and its list of environments are the same. Returns what `replaceItem` does. */
export async function updateFeatureItem(
  session: Session,
  before: FeatureItem,
  wanted: FeatureItem,
): Promise<FeatureItem> {
  const content = ({ tags, environments }: FeatureItem) => [tags, environments];
  if (isDeepStrictEqual(content(before), content(wanted))) return before;
  const item = nextItem(before, wanted);
  return replaceItem(session, before, () => item);
}

function nextItem(before: FeatureItem, { uid: _, creation: __, ...wanted }: FeatureItem): FeatureItem {
  const earlierWriteIds = earlierWriteIdsAfter(before.lastWrite, before.earlierWriteIds);
  return { ...before, ...wanted, revision: before.revision + 1, earlierWriteIds };
}
