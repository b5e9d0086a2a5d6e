/**
 * Replaces or removes an item that was read, or creates one where there was none. DynamoDB refuses the write if the item
 * was changed since, so a copy of a write that arrives late changes nothing. There is one exception: a late copy of a
 * creation puts an item again that was deleted since. It puts no feature again, because a feature's item replaces its
 * reservation.
 *
 * After a write conflict, creations, deletions and commands of operators begin another round (`runRounds`). The removal of
 * an environment has a loop of its own (`removeEnvironment` in leftovers.ts), and changes and tag updates have another
 * backoff (lib/features/conflicts/backoff.ts).
 */
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { type Clock, minRoundMs } from "../clock.ts";
import { ConflictError, type ErrorFacts, rethrowAsUnknownOutcome } from "../contract/errors.ts";
import { isConditionFailure } from "./dynamodb/failures.ts";
import type { Session } from "./dynamodb/session.ts";
import {
  type ApiKeyItem,
  type EnvironmentItem,
  type FeatureItem,
  isApiKeyItem,
  isEnvironmentItem,
  isFeatureItem,
  isReservationItem,
  type ProjectItem,
  type ReservationItem,
  type TableKey,
} from "./items/items.ts";
import { getItem } from "./read-items.ts";

/** The items that are replaced as a whole. The last marks a table whose first state is stored only in part. */
type ReplacedItem =
  | (ApiKeyItem | ProjectItem | ReservationItem | FeatureItem | EnvironmentItem)
  | (TableKey & { uid: string });

/** The item was changed since it was read. The message is for operators; `withMessageForCaller` replaces it. */
export class ConcurrentChange extends ConflictError {
  constructor(
    message = "another change was made at the same time; run the command again",
    facts?: ErrorFacts,
  ) {
    super(message, facts);
  }
}

/**
 * Waits for a creation, deletion or restoration. If it met write conflicts until the deadline, replaces the message,
 * which is for operators, by one for callers of the API.
 */
export function withMessageForCaller<Result>(feature: string, writing: Promise<Result>): Promise<Result> {
  return writing.catch((error: unknown) => {
    if (!(error instanceof ConcurrentChange) || error.mayBeStored) throw error;
    throw error.with({
      message: `The feature "${feature}" was changed concurrently; retry`,
      code: "gave-up",
    });
  });
}

/**
 * Puts an item that `make` returns anew for each send, all with the same `writeIdentityOf`. Throws a ConcurrentChange if
 * the item was changed since it was read. Returns the item that is stored: the one sent last, or that of an earlier send
 * or a parallel attempt.
 */
export async function replaceItem<Item extends ReplacedItem>(
  session: Session,
  before: ReplacedItem | undefined,
  make: () => Item,
): Promise<Item> {
  // Each send makes it anew.
  let item = make();
  const condition = before ? conditionOn(requiredOf(before)) : isAbsent;
  const put = () => {
    item = make();
    return new PutCommand({ TableName: session.table, Item: item, ...condition });
  };
  const { isStored } = await session.write(put);
  if (isStored) return item;
  // The refused put may be a second copy: a second send after a lost response, or that of a proxy that sent the put twice.
  const stored = await getItem<Item>(session, { pk: item.pk, sk: item.sk }).catch(rethrowAsUnknownOutcome);
  if (!stored || !isStoredBy(item, stored, before)) throw new ConcurrentChange();
  return stored;
}

/** Whether the stored item is the one that was put, perhaps with tag updates since. */
function isStoredBy(item: ReplacedItem, stored: ReplacedItem, before: ReplacedItem | undefined): boolean {
  if (writeIdentityOf(stored) === writeIdentityOf(item)) return true;
  // Tag updates keep the uid that the creation has given the feature.
  const isCreation = before !== undefined && isReservationItem(before) && isFeatureItem(item);
  return isCreation && isFeatureItem(stored) && stored.uid === item.uid;
}

/**
 * Returns what identifies the write that stored the item. By this a put is recognised in the stored item after its
 * response was lost.
 */
function writeIdentityOf(item: ReplacedItem): string {
  // Patches keep the id of the creation. The uid identifies no write, as each send of a new environment has another.
  if (isEnvironmentItem(item)) return item.created.id;
  if (isFeatureItem(item) || isApiKeyItem(item)) return item.lastWrite.id;
  // A project gets another uid with each write, and a reservation is written once.
  return item.uid;
}

/** Returns the attributes that the stored item must still have as they were read, so that it may be replaced. */
function requiredOf(read: ReplacedItem): Readonly<Record<string, string | number>> {
  if (isApiKeyItem(read)) return { "lastWrite.id": read.lastWrite.id };
  const { uid } = read;
  return "revision" in read ? { uid, revision: read.revision } : { uid };
}

const isAbsent = { ConditionExpression: "attribute_not_exists(pk)" };

function conditionOn(required: ReturnType<typeof requiredOf>) {
  const paths = Object.keys(required);
  return {
    ConditionExpression: paths.map((path, index) => `${path} = :${index}`).join(" AND "),
    ExpressionAttributeValues: Object.fromEntries(paths.map((path, index) => [`:${index}`, required[path]])),
  };
}

/**
 * Deletes an item. A copy of the call that arrives late does not delete an item that was created again since, which has
 * another uid. With a revision, the item is deleted only if it is as it was read. Returns false if the item was gone: an
 * earlier send or another request had deleted it.
 */
export async function removeItem(
  session: Session,
  { pk, sk, uid }: TableKey & { uid: string },
  revision?: number,
): Promise<boolean> {
  const condition = conditionOn({ uid, ...(revision !== undefined && { revision }) });
  const remove = new DeleteCommand({ TableName: session.table, Key: { pk, sk }, ...condition });
  try {
    await session.call(remove);
    return true;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    if (await getItem(session, { pk, sk })) throw new ConcurrentChange();
    return false;
  }
}

const firstPauseMs = 200;
const longestPauseMs = 400;

/**
 * Runs rounds of reads and writes until one does not end in a write conflict, or the deadline is near. Each round has to
 * read anew what it depends on. If the database fails in a further round, it is not known what an earlier one has stored.
 */
export async function runRounds<Result>(
  { sleep, remainingMs }: Clock,
  runRound: () => Promise<Result>,
): Promise<Result> {
  const runFurtherRound = () => runRound().catch(rethrowAsUnknownOutcome);
  let pauseMs = firstPauseMs;
  for (let run = runRound; ; run = runFurtherRound) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ConcurrentChange) || remainingMs() < minRoundMs) throw error;
    }
    // The pause is random, so that two requests do not meet again.
    await sleep(Math.random() * pauseMs);
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
}

/** Ignores a write conflict, and throws any other error. */
export function ignoreConflict(error: unknown): void {
  if (!(error instanceof ConcurrentChange)) throw error;
}
