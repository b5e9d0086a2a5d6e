/** RFC 9110 section 13.1.2: who has the current representation already is not sent it again. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { entityTags } from "./entity-tags.ts";
import { header } from "./header.ts";
import type { Answer } from "./route.ts";

/** The answer to a GET, or that there is nothing new. The comparison is a weak one; what is malformed matches nothing. */
export function unlessUnmodified(event: APIGatewayProxyEventV2, answer: Answer): Answer {
  const etag = answer.headers?.etag;
  const known = entityTags(header(event, "if-none-match") ?? "");
  if (!etag || !known) return answer;
  const isKnown = known === "*" || known.some(({ tag }) => `"${tag}"` === etag);
  return isKnown ? { status: 304, headers: { etag } } : answer;
}
