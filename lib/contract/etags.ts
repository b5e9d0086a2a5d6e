/** Parses ETags of headers (RFC 9110 section 8.8.3), and compares them with a current one. */

/** ETags without their quotes; "*" matches any. */
export type Etags = "*" | readonly string[];

/** RFC 9110 section 13.1. */
export interface Preconditions {
  ifMatch?: Etags | undefined;
  ifNoneMatch?: Etags | undefined;
}

const etag = '(?:W/)?"[!#-~\\u0080-\\u00ff]*"';
/** Members may be empty (RFC 9110 section 5.6.1). */
const list = new RegExp(`^[ \\t]*(?:${etag}[ \\t]*)?(?:,[ \\t]*(?:${etag}[ \\t]*)?)*$`);

/** Undefined if the header is malformed. */
export function parseEtags(header: string, { weakToo }: { weakToo: boolean }): Etags | undefined {
  if (header.trim() === "*") return "*";
  const found = list.test(header) ? header.match(new RegExp(etag, "g")) : null;
  return found
    ?.filter((one) => weakToo || !one.startsWith("W/"))
    .map((one) => one.slice(one.indexOf('"') + 1, -1));
}

export function matches(etags: Etags, current: string): boolean {
  return etags === "*" || etags.includes(current);
}

interface Current {
  etag: string;
  /** For a retry: the ETag before its own writes. */
  etagBefore?: string;
  /** What the ETag is of. A switch changes it as a patch of variants does. */
  what: "feature" | "tags";
}

export function whyUnmet(
  { ifMatch, ifNoneMatch }: Preconditions,
  { etag, etagBefore = etag, what }: Current,
): string | undefined {
  const isAny = ifMatch === undefined || ifMatch === "*";
  if (!isAny && !ifMatch.includes(etag) && !ifMatch.includes(etagBefore)) {
    return `No strong ETag of If-Match is current: the ${what} changed since it was read, or it is one of another path`;
  }
  const isKnown = ifNoneMatch !== undefined && matches(ifNoneMatch, etag);
  return isKnown ? `If-None-Match matches the current ETag of the ${what}` : undefined;
}
