/** Makes the document that an SDK loads, and caches it for a few seconds, or longer while the database fails. */
import { gzipSync } from "node:zlib";
import { notInProject, requireProject } from "../contract/errors.ts";
import type { Project } from "../contract/responses/lists.ts";
import { etagOfText } from "../features/etags.ts";
import { type CacheRead, StaleCache } from "../stale-cache.ts";
import { flagd } from "./flagd.ts";
import type { Format, ServedFeature } from "./format.ts";
import { createOmissions, type Omissions } from "./omissions.ts";
import { unleash } from "./unleash.ts";

export type FormatName = "flagd" | "unleash";

export const formats: Readonly<Record<FormatName, Format>> = { flagd, unleash };

interface DocumentId {
  format: FormatName;
  project: string;
  environment: string;
}

export interface DocumentReader {
  readProject(id: string): Promise<Project | undefined>;

  /** Returns the features in order of name. */
  readServedFeatures(project: string, environment: string): Promise<readonly ServedFeature[]>;
}

interface EncodedDocument {
  etag: string;
  json: string;
  gzip: Buffer;
  /** How often a feature is left out or converted so that users get something else. */
  omissionCount: number;
}

/** A warm sandbox keeps documents of this many characters together. */
const cachedCharacters = 64_000_000;

export type DocumentCache = StaleCache<EncodedDocument>;

export function createDocumentCache(seconds: number): DocumentCache {
  return new StaleCache({
    seconds,
    capacity: cachedCharacters,
    sizeOf: ({ json }) => json.length,
  });
}

export interface ServedDocument extends EncodedDocument {
  stale?: CacheRead<EncodedDocument>["stale"];
}

export async function readDocument(
  reader: DocumentReader,
  documentId: DocumentId,
  cache: DocumentCache,
): Promise<ServedDocument> {
  const { format, project, environment } = documentId;
  const cacheId = JSON.stringify([format, project, environment]);
  const { value, stale } = await cache.read(cacheId, () => encodeDocument(reader, documentId));
  return { ...value, ...(stale && { stale }) };
}

async function encodeDocument(reader: DocumentReader, documentId: DocumentId): Promise<EncodedDocument> {
  const { json, omissions } = await makeDocument(reader, documentId);
  const omissionCount = omissions.listDecisive().reduce((sum, { count }) => sum + count, 0);
  return { etag: etagOfText(json), json, gzip: gzipSync(json), omissionCount };
}

async function makeDocument(
  reader: DocumentReader,
  documentId: DocumentId,
): Promise<{ json: string; omissions: Omissions }> {
  const { format, project: id, environment } = documentId;
  const [project, features] = await Promise.all([
    reader.readProject(id),
    reader.readServedFeatures(id, environment),
  ]);
  if (!requireProject(project, id).environments.includes(environment)) {
    throw notInProject(id, "environment", environment);
  }
  const omissions = createOmissions();
  const document = formats[format](features, { project: id, environment }, omissions);
  return { json: JSON.stringify(document), omissions };
}
