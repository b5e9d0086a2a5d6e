/** The size of a body in a response. */

/** Lambda's response has the body as a JSON string. */
export function bytesInResponse(body: string): number {
  return Buffer.byteLength(JSON.stringify(body));
}
