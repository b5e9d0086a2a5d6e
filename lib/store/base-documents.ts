/** Reads the base documents that operators have stored, and packs them. */
import { gunzipSync, gzipSync } from "node:zlib";
import { limits } from "../contract/limits.ts";
import type { Subject } from "../documents/document.ts";
import { type DocumentItem, documentKey, isStorableName } from "./items.ts";
import { getItem } from "./read-items.ts";
import type { Session } from "./session.ts";

export async function readBaseDocument(session: Session, subject: Subject): Promise<string | undefined> {
  const { project, environment } = subject;
  if (!isStorableName(project) || !isStorableName(environment)) return undefined;
  const { gzip } = (await getItem<DocumentItem>(session, documentKey(subject))) ?? {};
  return gzip === undefined ? undefined : unpack(gzip);
}

export function pack(json: string): string {
  return gzipSync(json, { level: 9 }).toString("base64");
}

export function unpack(gzip: string): string {
  return gunzipSync(Buffer.from(gzip, "base64"), { maxOutputLength: limits.documentBytes }).toString();
}
