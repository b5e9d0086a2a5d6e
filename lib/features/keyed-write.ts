/** Writes that a caller may repeat: an environment remembers them by the key that came with the request. */
import type { Caller } from "../access/caller.ts";
import { ConflictError } from "../contract/errors.ts";
import type { Patch } from "../contract/patch.ts";
import type { EnvironmentState, KeyedWrite, RequestKey } from "./feature.ts";
import { fingerprint } from "./fingerprint.ts";

/** Two callers who choose the same key do not get in each other's way. */
export function requestKey(idempotencyKey: string, caller: Caller, patch: Patch): RequestKey {
  return { key: fingerprint(caller.name, idempotencyKey), body: fingerprint(patch) };
}

/** The write that this request has made in the environment already. */
export function earlierWrite(
  { keyed }: Pick<EnvironmentState, "keyed">,
  request: RequestKey | undefined,
): KeyedWrite | undefined {
  const earlier = request && keyed.find(({ key }) => key === request.key);
  if (earlier && earlier.body !== request.body) {
    throw new ConflictError(
      "its idempotency-key came with another body before: a new request needs a new key",
    );
  }
  return earlier;
}
