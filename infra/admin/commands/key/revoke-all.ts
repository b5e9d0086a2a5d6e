/** Revokes every key of a name, except one that may be kept. */
import type { Stamp } from "../../../../lib/features/stores.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { Refusal } from "../../../refusal.ts";
import { keyHashOf } from "../../../store/stored.ts";
import { revokeApiKey } from "../../../store/write-api-key.ts";
import { keysNamed, readKeys } from "../../keys.ts";

const attempts = 10;

/** Reads until none is left, as a concurrent rotation may have created another one. Returns how many it revoked. */
export async function revokeAll(
  session: Session,
  name: string,
  { newStamp, keep }: { newStamp: () => Stamp; keep?: string },
): Promise<number> {
  let count = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const keys = keysNamed(await readKeys(session), name).filter((key) => keyHashOf(key) !== keep);
    if (keys.length === 0) return count;
    for (const key of keys) if (await revokeApiKey(session, key, newStamp())) count++;
  }
  throw new Refusal(`keys named "${name}" are created as fast as they are revoked; run the command again`);
}
