/** Does what a plan says, many features at a time. What was done stays done if it is interrupted. */
import { randomUUID } from "node:crypto";
import { ApiError } from "../../../lib/contract/errors.ts";
import type { Stamp } from "../../../lib/features/feature-store.ts";
import { apiKeyKey, projectKey } from "../../../lib/store/items.ts";
import type { Session } from "../../../lib/store/session.ts";
import { Refusal } from "../../refusal.ts";
import { deleteItem } from "../../store/delete-item.ts";
import { projectItem } from "../../store/new-items.ts";
import { putApiKey } from "../../store/put-api-key.ts";
import { putItem } from "../../store/put-item.ts";
import { deleteFeature, writeFeature } from "../../store/write-feature.ts";
import { inParallel } from "../in-parallel.ts";
import type { Change, FeatureChange } from "./changes.ts";

/** As many calls as the SDK keeps connections for, so that none waits for another's. */
const width = 40;

/** Neighbours of one kind are done side by side, kinds one after the other. */
export async function makeChanges(
  session: Session,
  changes: readonly Change[],
  onDone: () => void = () => {},
): Promise<void> {
  const request = randomUUID();
  for (const group of groups(changes)) {
    await inParallel(group, width, async (change) => {
      const stamp = { id: randomUUID(), by: "the command line", at: new Date().toISOString(), request };
      await named(change, () => makeChange(session, change, stamp));
      onDone();
    });
  }
}

async function makeChange(session: Session, change: Change, stamp: Stamp): Promise<void> {
  switch (change.kind) {
    case "project":
      if (!change.after) return deleteItem(session, projectKey(change.name));
      return putItem(session, projectItem({ id: change.name, environments: [...change.after] }));
    case "feature":
      return changeFeature(session, change, stamp);
    case "apiKey": {
      const { after, leaving } = change;
      if (after) await putApiKey(session, after);
      for (const { keyHash } of leaving) await deleteItem(session, apiKeyKey(keyHash));
    }
  }
}

async function changeFeature(session: Session, change: FeatureChange, stamp: Stamp): Promise<void> {
  const { name, stored, before, after } = change;
  if (!after) return deleteFeature(session, name, stored ?? { environments: new Map() });
  const removed = [...(before?.environments.keys() ?? [])].filter((one) => !after.environments.has(one));
  await writeFeature(session, stored, after, { stamp, removed });
}

/** What the store says is about an item; the person wants to know of which. */
async function named({ kind, name }: Change, make: () => Promise<void>): Promise<void> {
  try {
    await make();
  } catch (error) {
    const isOfTheItem = error instanceof ApiError && error.status < 500;
    throw isOfTheItem
      ? new Refusal(`${kind === "apiKey" ? "key" : kind} "${name}": ${error.message}`)
      : error;
  }
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
