/** Identifies states and histories. */
import { hash } from "node:crypto";

export function digest(value: unknown): string {
  return hash("md5", JSON.stringify(value), "base64");
}
