/** Finds what is wrong with a state as a whole: duplicate names and keys, and dangling references. */
import { hashKey } from "../../lib/access/authenticate.ts";

export interface Contradiction {
  path: readonly PropertyKey[];
  message: string;
}

interface StateLists {
  projects: readonly { id: string; environments: readonly string[] }[];
  features: readonly {
    name: string;
    project: string;
    environments?: Readonly<Record<string, unknown>> | undefined;
  }[];
  apiKeys: readonly {
    name: string;
    key?: string | undefined;
    keyHash?: string | undefined;
    expiresAt?: string | undefined;
    retiredAt?: string | undefined;
  }[];
}

export function* contradictions({ projects, features, apiKeys }: StateLists): Generator<Contradiction> {
  const projectIds = projects.map(({ id }) => id);
  const featureNames = features.map(({ name }) => name);
  const currentKeys = apiKeys.map(({ name, retiredAt }) => (retiredAt === undefined ? name : undefined));
  yield* repeated(["projects"], projectIds, "id");
  yield* repeated(["features"], featureNames, "name");
  yield* repeated(["apiKeys"], currentKeys, "name");
  for (const [index, { environments }] of projects.entries()) {
    yield* repeated(["projects", index, "environments"], environments);
  }
  yield* danglingReferences(projects, features);
  yield* sameKeys(apiKeys);
  for (const [index, { key, keyHash, expiresAt, retiredAt }] of apiKeys.entries()) {
    const path = ["apiKeys", index];
    if ((key === undefined) === (keyHash === undefined)) {
      yield { path, message: "must have either key or keyHash" };
    }
    if (retiredAt !== undefined && expiresAt === undefined) {
      yield { path, message: "must have expiresAt because it has retiredAt" };
    }
  }
}

/** Features whose project is missing, and environments that a feature's project lacks. */
export function* danglingReferences(
  projects: StateLists["projects"],
  features: StateLists["features"],
): Generator<Contradiction> {
  const environments = new Map(projects.map(({ id, environments }) => [id, new Set(environments)]));
  for (const [index, feature] of features.entries()) {
    const known = environments.get(feature.project);
    if (!known) {
      yield {
        path: ["features", index, "project"],
        message: `is "${feature.project}", which is not among the projects`,
      };
      continue;
    }
    for (const name of Object.keys(feature.environments ?? {})) {
      if (known.has(name)) continue;
      const path = ["features", index, "environments", name];
      yield { path, message: `is not an environment of project "${feature.project}"` };
    }
  }
}

function* repeated(
  list: Contradiction["path"],
  names: readonly (string | undefined)[],
  ...member: string[]
): Generator<Contradiction> {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (name === undefined) continue;
    if (seen.has(name)) yield { path: [...list, index, ...member], message: `"${name}" is listed twice` };
    seen.add(name);
  }
}

/** A key and its hash are the same key. */
function* sameKeys(apiKeys: StateLists["apiKeys"]): Generator<Contradiction> {
  const seen = new Map<string, number>();
  for (const [index, { key, keyHash = key && hashKey(key) }] of apiKeys.entries()) {
    if (!keyHash) continue;
    const first = seen.get(keyHash) ?? index;
    if (first !== index) yield { path: ["apiKeys", index], message: `is the same key as /apiKeys/${first}` };
    seen.set(keyHash, first);
  }
}
