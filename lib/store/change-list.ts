/** How an environment's item holds its changes: each as one JSON text, one value instead of dozens that every call would convert. */
import type { Change } from "../features/feature.ts";

/** Those that most changes lack come last, so that they take no room. */
export function toStored(change: Change): string {
  const { id, at, by, revision, wayBack, key, undoes, retriedAt, reason } = change;
  const retried = retriedAt === undefined ? undefined : Date.parse(retriedAt);
  const members = [id, Date.parse(at), by, revision, wayBack, key, undoes, retried, reason];
  while (members.at(-1) === undefined) members.pop();
  return JSON.stringify(members);
}

export function fromStored(text: string): Change {
  const [id, at, by, revision, wayBack, key, undoes, retriedAt, reason] = JSON.parse(text);
  return {
    ...{ id, at: new Date(at).toISOString(), by, revision },
    ...(wayBack && { wayBack }),
    ...(key && { key }),
    ...(undoes && { undoes }),
    ...(retriedAt && { retriedAt: new Date(retriedAt).toISOString() }),
    ...(reason && { reason }),
  };
}
