/** The schemas of a state file: all content of the service as one JSON document. */
import * as z from "zod/mini";
import { type PermissionName, permissionNames } from "../../lib/access/permissions.ts";
import { forbiddenMembers } from "../../lib/contract/json.ts";
import { keyPattern, limits, minKeyLength } from "../../lib/contract/limits.ts";
import { storedNameSchema } from "../../lib/contract/names.ts";
import { listOfAtMost } from "../../lib/contract/shared-schemas.ts";
import { dependenciesSchema, strategyListSchema, targetingSchema } from "../../lib/contract/strategies.ts";
import { tagSchema } from "../../lib/contract/tags.ts";
import { variantListSchema } from "../../lib/contract/variants.ts";
import { formatTargeting } from "../../lib/features/model.ts";
import { roomIssue } from "../../lib/features/patch/content-size.ts";
import type { EnvironmentTree } from "../../lib/features/patch/environment-tree.ts";
import { weightIssue } from "../../lib/features/patch/variant-list.ts";
import { storedBytes } from "../../lib/features/stored-bytes.ts";
import { tagRoomIssue } from "../../lib/features/tags/tag-list.ts";

/** Measured in UTF-8, as DynamoDB measures the keys that names become. */
const name = (most: number) =>
  storedNameSchema.check(z.refine((text) => storedBytes(text) <= most, `must have at most ${most} bytes`));

/** `key create` takes `*` for all of them, so no project or environment may have this name. */
const isNotAll = (meaning: string) => z.refine<string>((text) => text !== "*", `must not be "*"${meaning}`);

const isNameable = isNotAll(", which means all of them in a permission");

const projectId = name(limits.nameBytes).check(isNameable);

/** An environment's name is a member's name, and many libraries drop an own member `__proto__`. */
const environmentName = name(limits.nameBytes).check(
  isNameable,
  z.refine((text) => !forbiddenMembers.has(text), `must not be one of ${[...forbiddenMembers].join(", ")}`),
);

const atMost = (bytes: number) =>
  z.refine((value) => storedBytes(value) <= bytes, `would take more than ${bytes / 1024} KiB`);

/** Applies the API's rules, but accepts variable weights that are shared unevenly, as Unleash has stored some. */
export const variantsStateSchema = variantListSchema.check(({ value, issues }) => {
  const room = roomIssue({ variants: value });
  const weights = weightIssue(value);
  const messages = [room, weights && `are refused by the API: ${weights}`];
  for (const message of messages) if (message) issues.push({ code: "custom", message, input: value });
});

export const strategiesStateSchema = strategyListSchema.check(({ value, issues }) => {
  for (const [index, { variants }] of value.entries()) {
    const message = weightIssue(variants);
    if (message !== undefined)
      issues.push({ code: "custom", path: [index, "variants"], message, input: variants });
  }
});

const tagListStateSchema = z.array(tagSchema).check(({ value, issues }) => {
  const message = tagRoomIssue(value);
  if (message !== undefined) issues.push({ code: "custom", message, input: value });
});

export const projectStateSchema = z.strictObject({
  id: projectId,
  environments: z.array(environmentName).check(atMost(limits.environmentsBytes)),
});

const aspectSchemas = {
  enabled: z.exactOptional(z.boolean()),
  variants: z.exactOptional(variantsStateSchema),
  strategies: z.exactOptional(strategiesStateSchema),
  dependencies: z.exactOptional(dependenciesSchema),
  targeting: z.exactOptional(z.nullable(targetingSchema)),
} satisfies Record<keyof EnvironmentTree, z.ZodMiniType>;

/** An absent aspect stays as it is stored. A new environment is off, and has no other aspect. */
const environmentStateSchema = z
  .strictObject(aspectSchemas)
  .check(({ value: { targeting = null, ...lists }, issues }) => {
    const { enabled: _, variants, ...rest } = lists;
    const content = { ...rest, ...(variants && { variants }), targeting: formatTargeting(targeting) };
    // The check of the variants has measured them alone.
    const message = variants && roomIssue({ variants }) ? undefined : roomIssue(content);
    if (message !== undefined) issues.push({ code: "custom", message, input: content });
  });

export const featureStateSchema = z.strictObject({
  name: name(limits.nameBytes),
  project: projectId,
  tags: z._default(tagListStateSchema, []),
  /** The environments that the feature has of those of its project: all of them, off and empty, when it is absent. */
  environments: z.exactOptional(z.record(environmentName, environmentStateSchema)),
});

const time = z.iso.datetime({ offset: true, error: "must be an RFC 3339 time" });

const isOne = isNotAll(": leave it out for all of them");

/** Whether a permission cannot be limited to an environment: it would permit nothing there, or, as READ, more than that. */
const isOfProjects: Readonly<Record<PermissionName, boolean>> = {
  ADMIN: false,
  READ: true,
  CLIENT: false,
  CREATE_FEATURE: true,
  DELETE_FEATURE: true,
  UPDATE_FEATURE: true,
  UPDATE_FEATURE_VARIANTS: true,
  UPDATE_FEATURE_ENVIRONMENT_VARIANTS: false,
  UPDATE_FEATURE_ENVIRONMENT: false,
  UPDATE_FEATURE_STRATEGY: false,
  TRIP_GUARD: false,
};

/** Limited so that all permissions of a key fit in its item. */
const permissionStateSchema = z
  .strictObject({
    permission: z.enum(permissionNames),
    project: z.exactOptional(name(limits.nameBytes).check(isOne)),
    environment: z.exactOptional(name(limits.nameBytes).check(isOne)),
  })
  .check(({ value: { permission, environment }, issues }) => {
    if (environment === undefined || !isOfProjects[permission]) return;
    const message = `must be left out: ${permission} applies to a project as a whole`;
    issues.push({ code: "custom", path: ["environment"], message, input: environment });
  });

/** Requires a key that an Authorization header can carry. Whitespace around a key is not part of it. */
const isDeliverable = z.refine<string>(
  (key) => keyPattern.test(key) && key === key.trim(),
  "must consist of printable ASCII or Latin-1 characters, without whitespace at either end: a header carries no others",
);

const isNoScheme = z.refine<string>(
  (key) => !/^bearer\s/i.test(key),
  'must not begin with "Bearer ", which is not part of a key where a header begins with it',
);

export const apiKeyStateSchema = z.strictObject({
  name: name(limits.nameBytes),
  key: z.exactOptional(
    z
      .string()
      .check(
        z.minLength(minKeyLength, `must have at least ${minKeyLength} characters`),
        isDeliverable,
        isNoScheme,
      ),
  ),
  /** The SHA-256 of the key in hexadecimal digits, as it is stored. */
  keyHash: z.exactOptional(
    z.string().check(z.regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hexadecimal digits")),
  ),
  permissions: z.exactOptional(listOfAtMost(permissionStateSchema, limits.permissionsPerKey, "permissions")),
  expiresAt: z.exactOptional(time),
  /** When another key of its name replaced it. */
  retiredAt: z.exactOptional(time),
  disabled: z.exactOptional(z.boolean()),
});

export const listsSchema = z.strictObject({
  projects: z._default(z.array(projectStateSchema), []),
  features: z._default(z.array(featureStateSchema), []),
  apiKeys: z._default(z.array(apiKeyStateSchema), []),
});

export type State = z.infer<typeof listsSchema>;
export type FeatureEntry = z.infer<typeof featureStateSchema>;
export type ApiKeyEntry = z.infer<typeof apiKeyStateSchema>;
