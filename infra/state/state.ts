/** The schema of a state file: all content of the service as one JSON document. */
import * as z from "zod/mini";
import { storedBytes } from "../../lib/contract/item-size.ts";
import { forbiddenMembers } from "../../lib/contract/json-pointer.ts";
import { limits } from "../../lib/contract/limits.ts";
import { permitSchema } from "../../lib/contract/permissions.ts";
import { tagSchema } from "../../lib/contract/tags.ts";
import { variantListSchema } from "../../lib/contract/variants.ts";
import { list, listOfAtMost } from "../../lib/contract/zod-extensions.ts";
import { contradictions } from "./contradictions.ts";

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
const environmentName = name(limits.environmentNameBytes).check(
  isNameable,
  z.refine((text) => !forbiddenMembers.has(text), `must not be one of ${[...forbiddenMembers].join(", ")}`),
);

const fits = z.refine(
  (value) => storedBytes(value) <= limits.itemBytes,
  `would not fit in a stored item (${limits.itemBytes / 1024} KiB)`,
);

/** Limited to what fits in an item. */
export const variantsStateSchema = variantListSchema.check(fits);

export const projectStateSchema = z.strictObject({
  id: projectId,
  environments: list(environmentName).check(fits),
});

export const featureStateSchema = z.strictObject({
  name: name(limits.nameBytes),
  project: projectId,
  tags: z._default(list(tagSchema).check(fits), []),
  /** Those of the project's environments that the feature has: all of them, empty, when it is absent. */
  environments: z.exactOptional(z.record(environmentName, z.strictObject({ variants: variantsStateSchema }))),
});

const time = z.iso.datetime({ offset: true, error: "must be an RFC 3339 time" });

const isOne = isNotAll(": leave it out for all of them");

/** Limited so that all permissions of a key fit in its item. */
const permitStateSchema = z.extend(permitSchema, {
  project: z.exactOptional(name(limits.nameBytes).check(isOne)),
  environment: z.exactOptional(name(limits.environmentNameBytes).check(isOne)),
});

/** What an Authorization header can carry: HTTP libraries send Latin-1, and whitespace around the key is not part of it. */
const isDeliverable = z.refine<string>(
  (key) => /^[\t\x20-\x7e\x80-\xff]*$/.test(key) && key === key.trim(),
  "must consist of printable ASCII or Latin-1 characters, without whitespace at either end: a header carries no others",
);

export const apiKeyStateSchema = z.strictObject({
  name: name(limits.nameBytes),
  key: z.exactOptional(z.string().check(z.minLength(16, "must have at least 16 characters"), isDeliverable)),
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

export const stateSchema = z
  .strictObject({
    projects: z._default(list(projectStateSchema), []),
    features: z._default(list(featureStateSchema), []),
    apiKeys: z._default(list(apiKeyStateSchema), []),
  })
  .check(({ value, issues }) => {
    for (const { path, message } of contradictions(value)) {
      issues.push({ code: "custom", path: [...path], message, input: value });
    }
  });

export type State = z.infer<typeof stateSchema>;
export type FeatureState = z.infer<typeof featureStateSchema>;
export type ApiKeyState = z.infer<typeof apiKeyStateSchema>;
