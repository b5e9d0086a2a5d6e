/** The scripts of callers: which requests they send one after the other, and how often they retry. */
import type { Script } from "../world/driver.ts";
import { type Intent, noReply, type Reply } from "../world/intent.ts";
import {
  adminKey,
  type Patching,
  patching,
  reading,
  tagging,
  tagsPath,
  undoing,
  variantsPath,
} from "./requests.ts";

/** Sends a patch, then undoes what of it is stored; with an idempotency key until that is done. */
export function thenUndo(intent: Intent, environments: readonly string[], isIdempotent = false): Script {
  return async (driver) => {
    const { headers } = await driver.send(intent);
    const change = headers["burgee-change"];
    if (change === undefined) return;
    const undo = undoing(`${intent.id}-undone`, { intent: intent.id, change }, environments, {
      isIdempotent,
    });
    await (isIdempotent ? untilDone : once)(undo)(driver);
  };
}

/** Undoes the newest change of the list that is no undo: it is that of this intent. */
export function undoNewest(
  id: string,
  intent: string,
  environments: readonly string[],
  rest: Partial<Intent> = {},
): Script {
  return async ({ send }) => {
    const path = `${variantsPath(environments, false)}/changes`;
    const { status, json } = await send({
      id: `${id}-reads`,
      http: { method: "GET", path, headers: { authorization: adminKey } },
    });
    const listed: { id: string; undoes?: string }[] = status === 200 ? json.changes : [];
    const change = listed.find(({ undoes }) => undoes === undefined)?.id;
    if (change !== undefined) await send(undoing(id, { intent, change }, environments, rest));
  };
}

/** Reads the tags, and updates them with the ETag of the response in If-Match. */
export function taggingIfUnchanged(id: string, added: readonly string[], removed: readonly string[]): Script {
  return async ({ send }) => {
    const headers = { authorization: adminKey };
    const reply = await send({ id: `${id}-reads`, http: { method: "GET", path: tagsPath, headers } });
    const ifMatch = reply.headers.etag;
    if (reply.status === 200 && ifMatch) await send(tagging(id, added, removed, { ifMatch }));
  };
}

const mostAttempts = 5;

/** Retries until the response is 200, or one that a retry cannot change. */
export function untilDone(intent: Intent): Script {
  return async ({ send }) => {
    let reply: Reply = noReply;
    for (let count = 0; count < mostAttempts && isWorthAnother(reply); count++) reply = await send(intent);
  };
}

/** Sends the request with one API key, then retries with another until that is accepted. */
export function thenUntilDone(first: Intent, intent: Intent): Script {
  return async (driver) => {
    await driver.send(first);
    let reply: Reply = noReply;
    for (let count = 0; count < mostAttempts && (isWorthAnother(reply) || reply.status === 401); count++) {
      reply = await driver.send(intent);
    }
  };
}

function isWorthAnother({ status }: Reply): boolean {
  return status === 0 || status === 503 || status === 409;
}

export const once =
  (intent: Intent): Script =>
  async ({ send }) => {
    await send(intent);
  };

export const sequence =
  (...scripts: readonly Script[]): Script =>
  async (driver) => {
    for (const script of scripts) await script(driver);
  };

/** Reads the variants, and patches them with the ETag of the response in If-Match. */
export function ifUnchanged(patch: Patching): Script {
  return async (driver) => {
    const { environments, isOfOne = false } = patch;
    const { status, headers, json } = await driver.send(reading(`${patch.id}-reads`, environments, isOfOne));
    if (status !== 200) return;
    const revision = json.variants[0].overrides[0].values.length;
    await untilDone({ ...patching({ ...patch, ifMatch: headers.etag }), revision })(driver);
  };
}

export const plain = (id: string, environments: readonly string[]) => once(patching({ id, environments }));
export const idempotent = (id: string, environments: readonly string[]) =>
  untilDone(patching({ id, environments, isIdempotent: true }));
export const idempotentInOne = (id: string, environment: string) =>
  untilDone(patching({ id, environments: [environment], isOfOne: true, isIdempotent: true }));
/** Another client that sends the request of the caller `id`, as does a retry while the first attempt goes on. */
export const again = (intent: Intent) => untilDone({ ...intent, name: `${intent.id} again` });
