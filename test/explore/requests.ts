/** The requests of the scenarios, and how often they are retried. */
import type { PatchOperation } from "../../lib/contract/patch.ts";
import { tagMember } from "../../lib/features/tags/tag-list.ts";
import type { Script } from "./world/driver.ts";
import { type Intent, noReply, type Reply } from "./world/intent.ts";

export const feature = "f";
export const adminKey = "burgee-explorer-key-of-an-admin";
/** May patch variants in the environment dev of the project default, and its tags. */
export const limitedKey = "burgee-explorer-key-with-limits";

/** Created by an operator in place of the admin's. */
export const rotatedKey = "burgee-explorer-key-of-an-admin-after-rotation";

interface Patching {
  id: string;
  /** The environments of the feature, or the one whose path is used. */
  environments: readonly string[];
  isOfOne?: boolean;
  isIdempotent?: boolean;
  patch?: PatchOperation[];
  ifMatch?: string | undefined;
  isExhaustible?: boolean;
  key?: string;
  /** As `Burgee-Guard`. */
  guard?: string;
  /** As `Burgee-Most-Moves`. */
  mostMoves?: string;
}

/** A patch that appends its id to the list of traces, unless `patch` is given. */
export function patching({ id, environments, isIdempotent = false, patch, ...rest }: Patching): Intent {
  const { isOfOne = false, ifMatch, isExhaustible = false, key = adminKey, guard, mostMoves } = rest;
  const operations = [{ op: "add", path: "/0/overrides/0/values/-", value: id }];
  return {
    id,
    environments,
    isIdempotent,
    isExhaustible,
    leavesTrace: patch === undefined,
    ...(mostMoves !== undefined && { mayMoveNone: true }),
    http: {
      method: "PATCH",
      path: variantsPath(environments, isOfOne),
      headers: {
        authorization: key,
        "content-type": "application/json",
        ...(isIdempotent && { "idempotency-key": id }),
        ...(ifMatch !== undefined && { "if-match": ifMatch }),
        ...(guard !== undefined && { "burgee-guard": guard }),
        ...(mostMoves !== undefined && { "burgee-most-moves": mostMoves }),
      },
      body: JSON.stringify(patch ?? operations),
    },
  };
}

/** A patch of the environment that appends its id to the values of a strategy. */
export function patchingStrategies({
  id,
  environments,
  isOfOne = false,
  isIdempotent = false,
}: Patching): Intent {
  const path = "/strategies/s1/constraints/0/values/-";
  const place = isOfOne ? `/environments/${environments[0]}` : "";
  const headers = { authorization: adminKey, "content-type": "application/json" };
  return {
    id,
    environments,
    isIdempotent,
    leavesStrategyTrace: true,
    http: {
      method: "PATCH",
      path: `${featurePath}${place}`,
      headers: { ...headers, ...(isIdempotent && { "idempotency-key": id }) },
      body: JSON.stringify([{ op: "add", path, value: id }]),
    },
  };
}

interface Switching {
  id: string;
  to: "on" | "off";
  environments: readonly string[];
  isIdempotent?: boolean;
}

export function switching({ id, to, environments, isIdempotent = false }: Switching): Intent {
  const headers = { authorization: adminKey, ...(isIdempotent && { "idempotency-key": id }) };
  return {
    id,
    environments,
    isIdempotent,
    enabled: to === "on",
    http: { method: "POST", path: `${featurePath}/${to}`, headers },
  };
}

const featurePath = `/api/admin/projects/default/features/${feature}`;

function variantsPath([environment]: readonly string[], isOfOne: boolean): string {
  const place = isOfOne ? `/environments/${environment}` : "";
  return `${featurePath}${place}/variants`;
}

function reading(id: string, environments: readonly string[], isOfOne: boolean): Intent {
  const path = variantsPath(environments, isOfOne);
  return { id, http: { method: "GET", path, headers: { authorization: adminKey } } };
}

/** Creates the feature in all environments of its project. */
export function creating(id: string, environments: readonly string[]): Intent {
  const path = featurePath.slice(0, featurePath.lastIndexOf("/"));
  const headers = {
    authorization: adminKey,
    "content-type": "application/json",
    "idempotency-key": id,
  };
  return {
    id,
    environments,
    creates: true,
    isIdempotent: true,
    http: { method: "POST", path, headers, body: JSON.stringify({ name: feature }) },
  };
}

/** Restores the feature in these environments, which it had. */
export function restoring(id: string, environments: readonly string[]): Intent {
  const headers = { authorization: adminKey, "idempotency-key": id };
  return {
    id,
    environments,
    creates: true,
    restores: true,
    isIdempotent: true,
    http: { method: "POST", path: `${featurePath}/restore`, headers },
  };
}

export function deleting(id: string): Intent {
  return {
    id,
    deletes: true,
    http: { method: "DELETE", path: featurePath, headers: { authorization: adminKey } },
  };
}

/** Reads the feature, which has these environments or is not there. */
export function readingFeature(id: string, environments: readonly string[]): Intent {
  return {
    id,
    environments,
    reads: true,
    http: { method: "GET", path: featurePath, headers: { authorization: adminKey } },
  };
}

/** Undoes a change, as the header `burgee-change` or the list names it. */
export function undoing(
  id: string,
  undoes: NonNullable<Intent["undoes"]>,
  environments: readonly string[],
  rest: Partial<Intent> = {},
): Intent {
  const path = `${variantsPath(environments, false)}/changes/${undoes.change}/undo`;
  const headers = { authorization: adminKey, ...(rest.isIdempotent && { "idempotency-key": id }) };
  return { id, environments, undoes, ...rest, http: { method: "POST", path, headers } };
}

/** Trips a guard. */
export function tripping(id: string, guard: string, [environment = ""]: readonly string[]): Intent {
  const path = `/api/admin/projects/default/environments/${environment}/guards/${guard}/trip`;
  return {
    id,
    environments: [environment],
    trips: guard,
    http: { method: "POST", path, headers: { authorization: adminKey } },
  };
}

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

const tagsPath = `/api/admin/features/${feature}/tags`;

export function tagging(
  id: string,
  added: readonly string[],
  removed: readonly string[],
  { key = adminKey, ifMatch }: { key?: string; ifMatch?: string } = {},
): Intent {
  const toTags = (values: readonly string[]) => values.map((value) => ({ value, type: "simple" }));
  const [addedTags, removedTags] = [toTags(added), toTags(removed)];
  return {
    id,
    tags: { added: addedTags.map(tagMember), removed: removedTags.map(tagMember) },
    ...(ifMatch !== undefined && { etag: ifMatch.replaceAll('"', "") }),
    ...(key === limitedKey && { project: "default" }),
    http: {
      method: "PUT",
      path: tagsPath,
      headers: {
        authorization: key,
        "content-type": "application/json",
        ...(ifMatch !== undefined && { "if-match": ifMatch }),
      },
      body: JSON.stringify({ addedTags, removedTags }),
    },
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
