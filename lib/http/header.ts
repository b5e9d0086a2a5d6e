/** A header by its lower-case name. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";

/** HTTP APIs send names in lower case, other sources do not; RFC 9110 section 5.1: the case does not count. */
export function header(event: APIGatewayProxyEventV2, name: string): string | undefined {
  // HTTP APIs always send some; a hand-made event may have none.
  const headers = event.headers ?? {};
  const exact = headers[name];
  if (exact !== undefined) return exact;
  return Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
}
