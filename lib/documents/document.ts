/** Makes the document that an SDK loads, and caches it for a few seconds. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { NotFoundError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Project } from "../contract/lists.ts";
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
  /** The features that it lacks, or has otherwise than Burgee. */
  leftOut: number;
}

export interface DocumentCache {
  seconds: number;
  entries: Map<string, { document: Document; readAt: number }>;
}

export async function readDocument(
  reader: DocumentReader,
  subject: Subject,
  { seconds, entries }: DocumentCache,
): Promise<Document> {
  const id = JSON.stringify([subject.format, subject.project, subject.environment]);
  const readAt = Date.now();
  const cached = entries.get(id);
  const ageMs = readAt - (cached?.readAt ?? 0);
  // A negative age means that the clock was set back.
  if (cached && ageMs >= 0 && ageMs < seconds * 1000) return cached.document;
  const { json, omissions } = await makeDocument(reader, subject);
  const etag = createHash("sha256").update(json).digest("base64url").slice(0, 16);
  const leftOut = omissions.countServedOtherwise();
  const document = { etag, json, gzip: gzipSync(json), leftOut };
  const lengths = [...entries.values()].map(({ document: { json } }) => json.length);
  // When full, the cache is cleared: simpler than LRU.
  if (lengths.reduce((sum, length) => sum + length, document.json.length) > limits.documentCache)
    entries.clear();
  entries.set(id, { document, readAt });
  return document;
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
