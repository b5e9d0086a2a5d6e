/** Executes a plan, many features at a time. An interruption keeps what is completed. */
import { ApiError } from "../../../lib/contract/errors.ts";
import type { Stamp } from "../../../lib/features/stores.ts";
import type { Session } from "../../../lib/store/session.ts";
import { Refusal } from "../../refusal.ts";
import type { NewApiKey } from "../../store/new-items.ts";
import { concurrentChange } from "../../store/or-conflict.ts";
import { keyHashOf } from "../../store/stored.ts";
import { putApiKey, revokeApiKey } from "../../store/write-api-key.ts";
import { deleteFeature, writeFeature } from "../../store/write-feature.ts";
import { writeProject } from "../../store/write-project.ts";
import { isRetiring, readKeys } from "../keys.ts";
import { createStamps, type OperatorSession } from "../operator.ts";
import type { Change } from "./changes.ts";
import { toApiKey } from "./content.ts";

/** As many concurrent calls as the SDK keeps connections for. */
const width = 40;

/** Adjacent changes of one kind run in parallel, different kinds one after the other. */
export async function makeChanges(
  session: OperatorSession,
  changes: readonly Change[],
  onDone: () => void = () => {},
): Promise<void> {
  const newStamp = await createStamps(session);
  for (const group of groups(changes)) {
    await inParallel(group, async (change) => {
      await named(change, () => makeChange(session, change, newStamp()));
      onDone();
    });
    await refuseDuplicateKeys(session, group, newStamp);
  }
}

/** With bounded concurrency. Rejects with the first failure, once running work ended. */
async function inParallel(
  changes: readonly Change[],
  make: (change: Change) => Promise<void>,
): Promise<void> {
  const rest = changes[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  const worker = async () => {
    for (let next = rest.next(); !next.done && !failure; next = rest.next()) {
      try {
        await make(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (failure) throw failure.error;
}

async function makeChange(session: Session, change: Change, stamp: Stamp): Promise<void> {
  switch (change.kind) {
    case "project":
      return writeProject(session, change.name, change);
    case "feature": {
      const { name, stored, after } = change;
      if (after) return writeFeature(session, stored, after, { stamp });
      return deleteFeature(session, name, stored ?? { environments: new Map() });
    }
    case "apiKey": {
      const { after, stored, leaving } = change;
      if (after) await putApiKey(session, after, { stored, stamp });
      for (const key of leaving) {
        const isRevoked = await revokeApiKey(session, key, stamp);
        // Where another key takes its place, refuseDuplicateKeys finds what the concurrent change left.
        if (!isRevoked && !after) throw concurrentChange();
      }
    }
  }
}

/** No item is keyed by a key's name, so concurrent commands can store two of one name: what reads both undoes its own. */
async function refuseDuplicateKeys(
  session: Session,
  changes: readonly Change[],
  newStamp: () => Stamp,
): Promise<void> {
  const written = changes.flatMap((change) =>
    change.kind === "apiKey" && change.after && !isRetiring(change.after)
      ? { ...change.after, stored: change.stored }
      : [],
  );
  if (written.length === 0) return;
  const current = (await readKeys(session)).filter((key) => !isRetiring(key));
  const isOnly = ({ name, keyHash }: NewApiKey) => {
    const [first, second] = current.filter((key) => key.name === name);
    return first !== undefined && keyHashOf(first) === keyHash && second === undefined;
  };
  const refused = written.filter((key) => !isOnly(key));
  for (const { keyHash, stored } of refused) {
    const own = current.find((key) => keyHashOf(key) === keyHash);
    if (!own) continue;
    const stamp = newStamp();
    if (!stored || stored.revokedAt !== undefined) await revokeApiKey(session, own, stamp);
    else await putApiKey(session, toApiKey(stored), { stored: own, stamp });
  }
  const [first] = refused;
  if (first) throw about("apiKey", first.name, concurrentChange());
}

/** Adds the name of the item to an error about it. */
async function named({ kind, name }: Change, make: () => Promise<void>): Promise<void> {
  try {
    await make();
  } catch (error) {
    throw error instanceof ApiError && error.status < 500 ? about(kind, name, error) : error;
  }
}

function about(kind: Change["kind"], name: string, { message }: ApiError): Refusal {
  return new Refusal(`${kind === "apiKey" ? "key" : kind} "${name}": ${message}`);
}

function groups(changes: readonly Change[]): Change[][] {
  const all: Change[][] = [];
  for (const change of changes) {
    const last = all.at(-1);
    if (last?.[0]?.kind === change.kind) last.push(change);
    else all.push([change]);
  }
  return all;
}
