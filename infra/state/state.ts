/** Reads and validates a state file: all content of the service as one JSON document, without contradictions. */
import * as z from "zod/mini";
import { hashKey } from "../../lib/access/authenticate.ts";
import { type Permission, permissions } from "../../lib/access/permissions.ts";
import { listOfAtMost } from "../../lib/contract/bounded-schemas.ts";
import { forbiddenMembers } from "../../lib/contract/json-pointer.ts";
import { limits } from "../../lib/contract/limits.ts";
import { tagSchema } from "../../lib/contract/tags.ts";
import { validate, validateJson } from "../../lib/contract/validate.ts";
import { variantListSchema } from "../../lib/contract/variants.ts";
import { storedBytes } from "../../lib/features/stored-bytes.ts";
import { roomIssue } from "../../lib/features/variant-list.ts";
import { readJsonFile, sourceOf } from "../cli/json-file.ts";
import { Refusal } from "../cli/refusal.ts";

/** Measured in UTF-8, as DynamoDB measures the keys that names become. */
const name = (most: number) =>
  z.string().check(
    z.minLength(1, "must not be empty"),
    z.refine((text) => storedBytes(text) <= most, `must have at most ${most} bytes`),
  );

/** `key create` takes `*` for all of them, so no project or environment may have this name. */
const isNotAll = (meaning: string) => z.refine<string>((text) => text !== "*", `must not be "*"${meaning}`);

const isNameable = isNotAll(", which means all of them in a permission");

const projectId = name(limits.nameBytes).check(isNameable);

/** An environment's name is a member's name, and many libraries drop an own member `__proto__`. */
const environmentName = name(limits.nameBytes).check(
  isNameable,
  z.refine((text) => !forbiddenMembers.has(text), `must not be one of ${[...forbiddenMembers].join(", ")}`),
);

const fits = z.refine(
  (value) => storedBytes(value) <= limits.itemBytes,
  `would not fit in a stored item (${limits.itemBytes / 1024} KiB)`,
);

export const variantsStateSchema = variantListSchema.check(({ value, issues }) => {
  const message = roomIssue(value);
  if (message !== undefined) issues.push({ code: "custom", message, input: value });
});

export const projectStateSchema = z.strictObject({
  id: projectId,
  environments: z.array(environmentName).check(fits),
});

export const featureStateSchema = z.strictObject({
  name: name(limits.nameBytes),
  project: projectId,
  tags: z._default(z.array(tagSchema).check(fits), []),
  /** Those of the project's environments that the feature has: all of them, empty, when it is absent. */
  environments: z.exactOptional(z.record(environmentName, z.strictObject({ variants: variantsStateSchema }))),
});

const time = z.iso.datetime({ offset: true, error: "must be an RFC 3339 time" });

const isOne = isNotAll(": leave it out for all of them");

/** Limited to an environment, they would permit nothing there, or, as READ, more than that. */
const ofProjects: ReadonlySet<Permission> = new Set(["READ", "UPDATE_FEATURE", "UPDATE_FEATURE_VARIANTS"]);

/** Limited so that all permissions of a key fit in its item. */
const permitStateSchema = z
  .strictObject({
    permission: z.enum(permissions),
    project: z.exactOptional(name(limits.nameBytes).check(isOne)),
    environment: z.exactOptional(name(limits.nameBytes).check(isOne)),
  })
  .check(({ value: { permission, environment }, issues }) => {
    if (environment === undefined || !ofProjects.has(permission)) return;
    const message = `must be left out: ${permission} applies to a project as a whole`;
    issues.push({ code: "custom", path: ["environment"], message, input: environment });
  });

/** What an Authorization header can carry: HTTP libraries send Latin-1, and whitespace around the key is not part of it. */
const isDeliverable = z.refine<string>(
  (key) => /^[\t\x20-\x7e\x80-\xff]*$/.test(key) && key === key.trim(),
  "must consist of printable ASCII or Latin-1 characters, without whitespace at either end: a header carries no others",
);

const isNoScheme = z.refine<string>(
  (key) => !/^bearer\s/i.test(key),
  'must not begin with "Bearer ", which is not part of a key where a header begins with it',
);

export const apiKeyStateSchema = z.strictObject({
  name: name(limits.nameBytes),
  key: z.exactOptional(
    z.string().check(z.minLength(16, "must have at least 16 characters"), isDeliverable, isNoScheme),
  ),
  /** The SHA-256 of the key in hexadecimal digits, as it is stored. */
  keyHash: z.exactOptional(
    z.string().check(z.regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hexadecimal digits")),
  ),
  permissions: z._default(listOfAtMost(permitStateSchema, limits.permissionsPerKey, "permissions"), []),
  expiresAt: z.exactOptional(time),
  /** When another key of its name replaced it. */
  retiredAt: z.exactOptional(time),
  disabled: z._default(z.boolean(), false),
});

const listsSchema = z.strictObject({
  projects: z._default(z.array(projectStateSchema), []),
  features: z._default(z.array(featureStateSchema), []),
  apiKeys: z._default(z.array(apiKeyStateSchema), []),
});

export const stateSchema = listsSchema.check(({ value, issues }) => {
  for (const { path, message } of contradictions(value)) {
    issues.push({ code: "custom", path: [...path], message, input: value });
  }
});

export type State = z.infer<typeof listsSchema>;
export type FeatureState = z.infer<typeof featureStateSchema>;
export type ApiKeyState = z.infer<typeof apiKeyStateSchema>;

export async function readStateFile(file: string): Promise<State> {
  return checkState(await readJsonFile(file), sourceOf(file));
}

/** `source` names the origin of the state in the message. */
export function checkState(input: unknown, source: string): State {
  const { value: state, issues = [] } = validate(stateSchema, input);
  const all = [...validateJson(input), ...issues];
  if (state && all.length === 0) return state;
  const lines = all.slice(0, limits.issues).map(({ path, message }) => `  ${path || "/"} ${message}`);
  if (all.length >= limits.issues) lines.push("  and possibly more");
  throw new Refusal(`${source} is not a state file:\n${lines.join("\n")}`);
}

interface Contradiction {
  path: readonly PropertyKey[];
  message: string;
}

/** Duplicate names and keys, and dangling references. */
function* contradictions(state: State): Generator<Contradiction> {
  const { projects, features, apiKeys } = state;
  const currentKeys = apiKeys.map(({ name, retiredAt }) => (retiredAt === undefined ? name : undefined));
  const projectIds = projects.map(({ id }) => id);
  const featureNames = features.map(({ name }) => name);
  yield* repeated(["projects"], projectIds, ["id"]);
  yield* repeated(["features"], featureNames, ["name"]);
  yield* repeated(["apiKeys"], currentKeys, ["name"]);
  for (const [index, { environments }] of projects.entries()) {
    yield* repeated(["projects", index, "environments"], environments, []);
  }
  yield* danglingReferences(state);
  // A key and its hash are the same key.
  const hashes = apiKeys.map(({ key, keyHash = key && hashKey(key) }) => keyHash);
  yield* repeated(["apiKeys"], hashes, [], (_, first) => `is the same key as /apiKeys/${first}`);
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
export function* danglingReferences({ projects, features }: State): Generator<Contradiction> {
  const known = new Map(projects.map(({ id, environments }) => [id, new Set(environments)]));
  for (const [index, { project, environments = {} }] of features.entries()) {
    const path = ["features", index];
    const ofProject = known.get(project);
    if (!ofProject) {
      yield {
        path: [...path, "project"],
        message: `is "${project}", which is not among the projects of this file`,
      };
      continue;
    }
    for (const name of Object.keys(environments).filter((name) => !ofProject.has(name))) {
      const message = `is not an environment of project "${project}"`;
      yield { path: [...path, "environments", name], message };
    }
  }
}

function* repeated(
  list: Contradiction["path"],
  names: readonly (string | undefined)[],
  member: readonly string[],
  describe = (name: string, _first: number) => `"${name}" is listed twice`,
): Generator<Contradiction> {
  const seen = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (name === undefined) continue;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    else yield { path: [...list, index, ...member], message: describe(name, first) };
  }
}
