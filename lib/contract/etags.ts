/** ETags as headers have them (RFC 9110 section 8.8.3): parsed, and compared with a current one. */
import { PreconditionFailed } from "./errors.ts";

/** Without their quotes; "*" matches any. */
export type Etags = "*" | readonly string[];

/** What a request demands of the state that it is applied to (RFC 9110 section 13.1). */
export interface Preconditions {
  ifMatch?: Etags | undefined;
  ifNoneMatch?: Etags | undefined;
}

const etag = '(?:W/)?"[!#-~\\u0080-\\u00ff]*"';
/** Members may be empty (RFC 9110 section 5.6.1). */
const list = new RegExp(`^[ \\t]*(?:${etag}[ \\t]*)?(?:,[ \\t]*(?:${etag}[ \\t]*)?)*$`);

/** Undefined if the header is malformed. A weak ETag counts with `weakToo` only. */
export function parseEtags(header: string, { weakToo = false } = {}): Etags | undefined {
  if (header.trim() === "*") return "*";
  const found = list.test(header) ? (header.match(new RegExp(etag, "g")) ?? []) : [];
  if (found.length === 0) return undefined;
  const counted = found.filter((one) => weakToo || !one.startsWith("W/"));
  return counted.map((one) => one.replace("W/", "").slice(1, -1));
}

export function matches(etags: Etags, current: string): boolean {
  return etags === "*" || etags.includes(current);
}

/** Why no ETag of If-Match is current. Weak ones were left out: each may be one of this path. */
export function whyUnmet(
  etags: Etags,
  what: "variants" | "tags",
  isOfPath: (etag: string) => boolean,
): string {
  const isForeign = etags !== "*" && etags.length > 0 && !etags.some(isOfPath);
  return isForeign
    ? "No ETag of If-Match is one of this path: use that of a GET at this path, or of a dry run of this request"
    : `The ${what} have changed since the ETag of If-Match was read`;
}

export function requireNoMatch(etags: Etags | undefined, etag: string): void {
  if (etags === undefined || !matches(etags, etag)) return;
  throw new PreconditionFailed("The current ETag is one of If-None-Match; nothing was written", { etag });
}
