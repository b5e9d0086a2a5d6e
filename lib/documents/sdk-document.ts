/** Makes the document that an SDK loads, and caches it for a few seconds, or longer while the database fails. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { NotFoundError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Project } from "../contract/lists.ts";
import { type Cached, readOrStale, staleSeconds } from "../contract/stale.ts";
import { requireProject } from "../features/list-features.ts";
import type { ServedFeature } from "./format.ts";
import { formats, type Subject } from "./formats.ts";
import { createOmissions, type Omissions } from "./left-out.ts";

export interface DocumentReader {
  readProject(id: string): Promise<Project | undefined>;

  /** In order of name. */
  readServed(project: string, environment: string): Promise<readonly ServedFeature[]>;
}

export interface Document {
  etag: string;
  json: string;
  gzip: Buffer;
  /** The number of omissions that change what an SDK evaluates. */
  leftOut: number;
}

export interface DocumentCache {
  seconds: number;
  entries: Map<string, Cached<Document>>;
}

export interface ServedDocument extends Document {
  /** Present if the database failed: the age of the document, and the cause. */
  stale?: { seconds: number; cause: string };
}

export async function readDocument(
  reader: DocumentReader,
  subject: Subject,
  { seconds, entries }: DocumentCache,
): Promise<ServedDocument> {
  const id = JSON.stringify([subject.format, subject.project, subject.environment]);
  const readAt = Date.now();
  const cached = entries.get(id);
  const ageMs = readAt - (cached?.readAt ?? 0);
  // A negative age means that the clock was set back.
  if (cached && ageMs >= 0 && ageMs < seconds * 1000) return cached.value;
  const usable = ageMs >= 0 && ageMs < (seconds + staleSeconds) * 1000 ? cached : undefined;
  const { value, stale } = await readOrStale(
    async () => cacheDocument(entries, id, { value: await encodeDocument(reader, subject), readAt }),
    usable,
    readAt,
  );
  return stale ? { ...value, stale: { seconds: Math.floor(ageMs / 1000), ...stale } } : value;
}

/** Caches and returns the document, unless a read that began later has cached one already. */
function cacheDocument(entries: DocumentCache["entries"], id: string, made: Cached<Document>): Document {
  const { value: document, readAt } = made;
  const cached = entries.get(id);
  if (cached && cached.readAt > readAt) return document;
  const lengths = [...entries.values()].map(({ value: { json } }) => json.length);
  // When full, the cache is cleared: simpler than LRU.
  if (lengths.reduce((sum, length) => sum + length, document.json.length) > limits.documentCache)
    entries.clear();
  entries.set(id, made);
  return document;
}

async function encodeDocument(reader: DocumentReader, subject: Subject): Promise<Document> {
  const { json, omissions } = await makeDocument(reader, subject);
  const etag = createHash("sha256").update(json).digest("base64url").slice(0, 16);
  return { etag, json, gzip: gzipSync(json), leftOut: omissions.countServedOtherwise() };
}

export async function makeDocument(
  reader: DocumentReader,
  subject: Subject,
): Promise<{ json: string; omissions: Omissions }> {
  const { project: id, environment } = subject;
  const [project, features] = await Promise.all([reader.readProject(id), reader.readServed(id, environment)]);
  if (!requireProject(project, id).environments.includes(environment)) {
    throw new NotFoundError(`Project "${id}" has no environment "${environment}"`);
  }
  const omissions = createOmissions();
  const document = formats[subject.format](features, { project: id, environment }, omissions);
  return { json: JSON.stringify(document), omissions };
}
