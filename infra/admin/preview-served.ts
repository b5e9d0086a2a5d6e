/** Previews what SDKs would load instead of what they load now. */
import { gzipSync } from "node:zlib";
import { NotFoundError } from "../../lib/contract/errors.ts";
import { limits } from "../../lib/contract/limits.ts";
import { type DocumentReader, makeDocument } from "../../lib/documents/document.ts";
import { type FormatName, formats, type Subject } from "../../lib/documents/formats.ts";
import type { Omissions } from "../../lib/documents/left-out.ts";
import { Refusal } from "../cli/refusal.ts";
import {
  changesNothing,
  compareDocuments,
  type DocumentDifferences,
  formatDifferences,
} from "./document-differences.ts";

export interface Served {
  json: string;
  omissions: Omissions;
}

/** Merges as the function read will. Undefined where the project or the environment does not exist. */
export async function serve(
  reader: Omit<DocumentReader, "readStoredDocument">,
  subject: Subject,
  text: string | undefined,
): Promise<Served | undefined> {
  return makeDocument({ ...reader, readStoredDocument: async () => text }, subject).catch(
    (error: unknown) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    },
  );
}

/** Refuses a document that no SDK could load. */
export function previewServed(
  format: FormatName,
  now: Served | undefined,
  then: Served | undefined,
): { differences: DocumentDifferences; preview: string } {
  const differences = compareDocuments(formats[format], now?.json, then?.json);
  if (!then) return { differences, preview: "No SDK loads it: its project or environment does not exist." };
  requireServable(then.json);
  return { differences, preview: describeDifferences(differences) };
}

function requireServable(json: string): void {
  if (json.length < limits.responseBytes / 2) return;
  const sent = Math.ceil((gzipSync(json).length * 4) / 3);
  if (sent <= limits.responseBytes) return;
  throw new Refusal(
    "the served document would be larger than 6 MB when it is compressed, and every client would get a 400; divide the features over more projects",
  );
}

function describeDifferences(differences: DocumentDifferences): string {
  if (changesNothing(differences)) return "Nothing changes for SDKs.";
  return `For SDKs these change:\n${formatDifferences(differences)}`;
}

export function withConsequence(question: string, { go }: DocumentDifferences): string {
  const what = go.length === 1 ? "a feature" : `${go.length} features`;
  return go.length === 0 ? `${question}?` : `${question}, so that SDKs lose ${what}?`;
}
