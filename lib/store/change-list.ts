/** How an environment's item holds its changes: each as one JSON text, one value instead of dozens that every call would convert. */
import type { Change } from "../features/feature.ts";

/** Those that most changes lack come last, so that they take no room. */
export function toStored(change: Change): string {
  const { id, at, by, revision, wayBack, key, undoes, retriedAt, reason } = change;
  const members = [
    id,
    Date.parse(at),
    by,
    revision,
    wayBack,
    key,
    undoes,
    retriedAt && Date.parse(retriedAt),
    reason,
  ];
  return JSON.stringify(members).replace(/(?:,null)+]$/, "]");
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
