/** Reads request headers, and the entity tags in them. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";

/** HTTP APIs send names in lower case, other sources do not; RFC 9110 section 5.1: the case does not count. */
export function header(event: APIGatewayProxyEventV2, name: string): string | undefined {
  // HTTP APIs always send some; a hand-made event may have none.
  const headers = event.headers ?? {};
  const exact = headers[name];
  if (exact !== undefined) return exact;
  return Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
}

export interface EntityTag {
  etag: string;
  isWeak: boolean;
}

/** One member of a list, which may be empty (RFC 9110 section 5.6.1), and the comma or the end after it. */
const member = /[ \t]*(?:(W\/)?"([!#-~\u0080-\u00ff]*)"[ \t]*)?(?:,|$)/y;

/** The value of If-Match or If-None-Match (RFC 9110 section 8.8.3); undefined if it is malformed. */
export function parseEntityTags(value: string): "*" | EntityTag[] | undefined {
  if (value.trim() === "*") return "*";
  const found: EntityTag[] = [];
  member.lastIndex = 0;
  while (member.lastIndex < value.length) {
    const match = member.exec(value);
    if (!match) return undefined;
    const [, weak, etag] = match;
    if (etag !== undefined) found.push({ etag, isWeak: weak !== undefined });
  }
  return found.length > 0 ? found : undefined;
}
