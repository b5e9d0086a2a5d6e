/** Replaces the network: hands over what the SDK would send, and waits for the response. */
import { createClient } from "../../../lib/store/dynamodb/client.ts";
import type { Input } from "../table/table.ts";

/** The client of all processes, as it keeps nothing between calls. */
export const client = createClient();

export interface Sent {
  operation: string;
  input: Input;
  answer(status: number, body: object): void;
  fail(error: Error): void;
}

interface HttpRequest {
  headers: Record<string, string>;
  body: Uint8Array | string;
}

/** Middleware that only changes headers, without which the exploration is faster. */
const costly = [
  ...["httpSigningMiddleware", "getUserAgentMiddleware", "hostHeaderMiddleware"],
  ...["recursionDetectionMiddleware", "contentLengthMiddleware", "loggerMiddleware"],
  // Chooses how to sign.
  "httpAuthSchemeMiddleware",
];

/** A call that is given up is handed to `onAbort`. */
export function intercept(onSend: (call: Sent) => void, onAbort: (call: Sent) => void): void {
  const { config, middlewareStack } = client;
  for (const name of costly) middlewareStack.remove(name);
  const { requestHandler } = config;
  requestHandler.constructor.prototype.handle = (
    { headers, body }: HttpRequest,
    { abortSignal }: { abortSignal?: AbortSignal } = {},
  ) =>
    new Promise((resolve, reject) => {
      if (abortSignal?.aborted) return reject(aborted());
      const call: Sent = {
        operation: headers["x-amz-target"]?.split(".")[1] ?? "",
        input: JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)),
        answer: (statusCode, answer) =>
          resolve({ response: { statusCode, headers: {}, body: bodyOf(answer) } }),
        fail: reject,
      };
      const onAborted = () => {
        onAbort(call);
        reject(aborted());
      };
      abortSignal?.addEventListener("abort", onAborted, { once: true });
      onSend(call);
    });
}

export const lostConnection = () => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
const aborted = () => Object.assign(new Error("Request aborted"), { name: "AbortError" });

/** Makes as much of a stream as is read. */
function bodyOf(answer: object) {
  return { toArray: async () => [Buffer.from(JSON.stringify(answer))] };
}
