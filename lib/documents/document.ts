/** Makes the document that an SDK loads, and keeps it for a few seconds in a warm sandbox. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { NotFoundError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Project } from "../contract/lists.ts";
import { requireProject } from "../features/list-features.ts";
import type { ServedFeature } from "./format.ts";
import { type FormatName, formats } from "./formats.ts";
import { countServedOtherwise, createOmissions } from "./left-out.ts";

/** Has no method that writes. */
export interface DocumentReader {
  readProject(id: string): Promise<Project | undefined>;

  /** The features of a project that have the environment, in order of name. */
  readVariants(project: string, environment: string): Promise<readonly ServedFeature[]>;
}

/** What a document is of. */
export interface Subject {
  format: FormatName;
  project: string;
  environment: string;
}

export interface Document {
  etag: string;
  json: string;
  gzip: Buffer;
  /** How many variants and features it lacks, or has otherwise than Burgee. */
  leftOut: number;
}

export interface DocumentCache {
  /** How long a document is kept; 0 makes it each time. */
  seconds: number;
  entries: Map<string, { document: Document; readAt: number }>;
}

/** `isFirst` says that the sandbox had no such document yet. */
export async function readDocument(
  reader: DocumentReader,
  subject: Subject,
  { seconds, entries }: DocumentCache,
): Promise<{ document: Document; isFirst: boolean }> {
  const id = JSON.stringify([subject.format, subject.project, subject.environment]);
  const readAt = Date.now();
  const cached = entries.get(id);
  if (cached && readAt < cached.readAt + seconds * 1000) return { document: cached.document, isFirst: false };
  const document = await makeDocument(reader, subject);
  const lengths = [...entries.values()].map(({ document: { json } }) => json.length);
  // When full, the cache is cleared: simpler than LRU.
  if (lengths.reduce((sum, length) => sum + length, document.json.length) > limits.documentCache)
    entries.clear();
  entries.set(id, { document, readAt });
  return { document, isFirst: cached === undefined };
}

async function makeDocument(reader: DocumentReader, subject: Subject): Promise<Document> {
  const { format, project: id, environment } = subject;
  const [project, features] = await Promise.all([
    reader.readProject(id),
    reader.readVariants(id, environment),
  ]);
  if (!requireProject(project, id).environments.includes(environment)) {
    throw new NotFoundError(`Project "${id}" has no environment "${environment}"`);
  }
  const omissions = createOmissions();
  const document = formats[format].create(features, { project: id, environment }, omissions);
  const json = JSON.stringify(document);
  return {
    etag: createHash("sha256").update(json).digest("base64url").slice(0, 16),
    json,
    gzip: gzipSync(json),
    leftOut: countServedOtherwise(omissions),
  };
}
