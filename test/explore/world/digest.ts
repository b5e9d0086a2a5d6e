/** Identifies states and histories. */
import { hash } from "node:crypto";

export function digest(value: unknown): string {
  return hash("md5", JSON.stringify(value), "base64");
}

/** With the times at which writes began to ten seconds: a change that began in another attempt expires at another time. */
export function timelessDigest(value: unknown): string {
  const text = JSON.stringify(value)
    .replaceAll(/"at"[:,][[{]+"S"[:,]"[^"]+"|\\"at\\":\\"[^"\\]+\\"/g, (time) => time.replace(/\d\.\d+Z/, ""))
    .replaceAll(/"ttl"[:,][[{]+"N"[:,]"[^"]+"/g, "");
  return hash("md5", text, "base64");
}
