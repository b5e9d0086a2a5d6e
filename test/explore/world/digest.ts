/** Identifies states and histories. */
import { hash } from "node:crypto";

export function digest(value: unknown): string {
  return hash("md5", JSON.stringify(value), "base64");
}

/** Without the times at which writes began, which nothing reads. */
export function timelessDigest(value: unknown): string {
  const text = JSON.stringify(value).replaceAll(/"at"[:,][[{]+"S"[:,]"[^"]+"|\\"at\\":\\"[^"\\]+\\"/g, "");
  return hash("md5", text, "base64");
}
