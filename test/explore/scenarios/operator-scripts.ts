/** Scripts of operators, who run the code of the command line. */
import { randomUUID } from "node:crypto";
import type { FeatureContent } from "../../../infra/store/content.ts";
import { putApiKey, revokeApiKey } from "../../../infra/store/write-api-key.ts";
import { writeFeature } from "../../../infra/store/write-feature.ts";
import { hashKey } from "../../../lib/access/authenticate.ts";
import { ConflictError } from "../../../lib/contract/errors.ts";
import { emptyContent } from "../../../lib/features/model.ts";
import { createStamp } from "../../../lib/features/stamp.ts";
import { deleteFeature } from "../../../lib/store/delete-and-restore.ts";
import type { Session } from "../../../lib/store/dynamodb/session.ts";
import { type ApiKeyItem, apiKeyTableKey } from "../../../lib/store/items/items.ts";
import { removeAllLeftovers } from "../../../lib/store/leftovers.ts";
import { getItem, readStoredFeature } from "../../../lib/store/read-items.ts";
import type { Script } from "../world/driver.ts";
import { feature } from "./requests.ts";
import { seededVariants } from "./seed.ts";

const stamp = () => createStamp({ by: "operator", requestId: randomUUID() });

const whole = (
  environments: readonly string[],
  project = "default",
  variants = seededVariants,
): FeatureContent => ({
  name: feature,
  project,
  tags: [],
  environments: new Map(environments.map((environment) => [environment, { ...emptyContent, variants }])),
});

/** Retried when it was killed, or refused because the feature has changed, as an operator would. */
function operating(name: string, run: (session: Session) => Promise<void>): Script {
  return async ({ operate }) => {
    let isDone = false;
    while (!isDone) {
      const ran = await operate(name, (session) => run(session).then(() => true, ignoreConflict));
      isDone = ran ?? false;
    }
  };
}

function ignoreConflict(error: unknown): false {
  if (error instanceof ConflictError) return false;
  throw error;
}

export const revoking = (key: string): Script =>
  operating("revoke", async (session) => {
    const stored = await getItem<ApiKeyItem>(session, apiKeyTableKey(hashKey(key)));
    if (stored && !stored.disabled) await revokeApiKey(session, stored, stamp());
  });

/** A new key of the same name; the old one is disabled at once. */
export const rotating = (name: string, old: string, key: string): Script =>
  operating("rotate", async (session) => {
    const permissions = [{ permission: "ADMIN" as const }];
    const rotated = { name, keyHash: hashKey(key), permissions, disabled: false };
    const [stored, made] = await Promise.all(
      [old, key].map((one) => getItem<ApiKeyItem>(session, apiKeyTableKey(hashKey(one)))),
    );
    if (!made) await putApiKey(session, rotated, { stamp: stamp() });
    if (stored && !stored.disabled) await revokeApiKey(session, stored, stamp());
  });

/** Deletes a feature and creates it again: two commands, so that many histories of a deletion continue as one. */
export const makingAgain =
  (...target: Parameters<typeof whole>): Script =>
  async (driver) => {
    const deleting = operating("delete", async (session) => {
      const stored = await readStoredFeature(session, feature);
      const { item, environments } = stored;
      if (item) await deleteFeature(session, { item, environments }, stamp());
      else await removeAllLeftovers(session, stored);
    });
    const create = (session: Session) =>
      writeFeature(session, undefined, whole(...target), stamp()).then(() => true, ignoreConflict);
    let isDone = false;
    while (!isDone) {
      await deleting(driver);
      isDone = (await driver.operate("create", create)) ?? false;
    }
  };

/** Gives every environment the variants that it had at first, or others. */
export const applying = (...target: Parameters<typeof whole>): Script =>
  operating("apply", async (session) => {
    const stored = await readStoredFeature(session, feature);
    await writeFeature(session, stored, whole(...target), stamp());
  });
