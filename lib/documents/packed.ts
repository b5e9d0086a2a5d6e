/** Packs documents to store them, and bounds them. */
import { gunzipSync, gzipSync } from "node:zlib";
import { ValidationError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";

/** Undefined if it can be stored. */
export function documentIssue(json: string): string | undefined {
  return tooLarge(json) ?? tooLargePacked(pack(json));
}

export function packAtMost(json: string): string {
  const gzip = pack(json);
  const issue = tooLarge(json) ?? tooLargePacked(gzip);
  if (issue !== undefined) throw new ValidationError(`the document ${issue}`);
  return gzip;
}

function tooLarge(json: string): string | undefined {
  const most = limits.documentBytes;
  return Buffer.byteLength(json) > most ? `is larger than ${most / 1024 ** 2} MiB` : undefined;
}

function tooLargePacked({ length }: string): string | undefined {
  const most = limits.storedDocumentBytes;
  const [has, allowed] = [length, most].map((bytes) => Math.ceil(bytes / 1024));
  const message = `has ${has} KiB when it is compressed, more than ${allowed} KiB; divide the features over more projects`;
  return length > most ? message : undefined;
}

function pack(json: string): string {
  return gzipSync(json, { level: 9 }).toString("base64");
}

export function unpack(gzip: string): string {
  return gunzipSync(Buffer.from(gzip, "base64"), { maxOutputLength: limits.documentBytes }).toString();
}
