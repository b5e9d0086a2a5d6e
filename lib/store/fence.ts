/**
 * Fences off late attempts of a tag update. One that arrives after its retry was acknowledged would undo later changes,
 * so a retry stores its time as the item's fence, and attempts that were sent before the fence are refused:
 *
 *   this update --> no response --> the SDK's retry sets the fence --> the first attempt arrives late --> refused
 */
import type { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { isConditionFailure, isItemTooLarge, isThrottled } from "./failures.ts";

export interface Attempts {
  /** The time of the latest attempt, moved past every fence that was read. */
  sentAt: number;
  /** Whether one failed in a way that leaves open whether it was stored, or will be. */
  mayBeStored: boolean;
}

/** Advances the time of the latest attempt, for the next one. */
export function nextSentAt(attempts: Attempts): number {
  attempts.sentAt = Math.max(Date.now(), attempts.sentAt + 1);
  return attempts.sentAt;
}

/** Adds the fence to each of the SDK's retries once an attempt got no response. One that was refused was not stored. */
export function setFenceOnRetry(command: UpdateCommand, attempts: Attempts): void {
  let isRetry = false;
  command.middlewareStack.addRelativeTo(
    ((next: Send) => async (attempt: Attempt) => {
      const needsFence = isRetry && attempts.mayBeStored;
      isRetry = true;
      try {
        return await next(needsFence ? withFence(attempt, nextSentAt(attempts)) : attempt);
      } catch (error) {
        attempts.mayBeStored ||= !isThrottled(error) && !isConditionFailure(error) && !isItemTooLarge(error);
        throw error;
      }
    }) as never,
    // The document client registers middleware twice; a name with `override` keeps one.
    { relation: "after", toMiddleware: "retryMiddleware", name: "setFenceOnRetry", override: true },
  );
}

type Send = (attempt: Attempt) => Promise<unknown>;

interface Attempt {
  request: { body: string | Uint8Array; headers: Record<string, string> };
}

function withFence({ request, ...attempt }: Attempt, sentAt: number): Attempt {
  const text = typeof request.body === "string" ? request.body : new TextDecoder().decode(request.body);
  const input = JSON.parse(text);
  input.UpdateExpression = input.UpdateExpression.replace(/^SET /, "SET fence = :sentAt, ");
  input.ExpressionAttributeValues[":sentAt"] = { N: String(sentAt) };
  const body = JSON.stringify(input);
  const headers = { ...request.headers, "content-length": `${Buffer.byteLength(body)}` };
  return { ...attempt, request: { ...request, body, headers } };
}
