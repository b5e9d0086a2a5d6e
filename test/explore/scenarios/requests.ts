/** The requests of the scenarios. */
import type { PatchOperation } from "../../../lib/contract/patch.ts";
import { tagMember } from "../../../lib/features/tags/tag-list.ts";
import type { Intent } from "../world/intent.ts";

export const feature = "f";
export const adminKey = "burgee-explorer-key-of-an-admin";
/** May patch variants in the environment dev of the project default, and its tags. */
export const limitedKey = "burgee-explorer-key-with-limits";
/** Created by an operator in place of the admin's. */
export const rotatedKey = "burgee-explorer-key-of-an-admin-after-rotation";

export interface Patching {
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

export function variantsPath([environment]: readonly string[], isOfOne: boolean): string {
  const place = isOfOne ? `/environments/${environment}` : "";
  return `${featurePath}${place}/variants`;
}

export function reading(id: string, environments: readonly string[], isOfOne: boolean): Intent {
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

export const tagsPath = `/api/admin/features/${feature}/tags`;

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
