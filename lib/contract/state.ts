/** What the service holds, as one JSON document: for seeds, for operators, and for tests. */
import * as z from "zod/mini";
import { permitSchema } from "./permissions.ts";
import { tagSchema } from "./tags.ts";
import { variantListSchema } from "./variants.ts";

const name = z.string().check(z.minLength(1, "must not be empty"));

export const projectStateSchema = z.strictObject({ id: name, environments: z.array(name) });

export const featureStateSchema = z.strictObject({
  name,
  project: name,
  tags: z._default(z.array(tagSchema), []),
  /** Those of the project's environments that the feature has: all of them, empty, when it is absent. */
  environments: z.exactOptional(z.record(name, z.strictObject({ variants: variantListSchema }))),
});

export const apiKeyStateSchema = z.strictObject({
  name,
  key: z.exactOptional(z.string().check(z.minLength(16, "must have at least 16 characters"))),
  /** The SHA-256 of the key, in hexadecimal digits: what is stored. */
  keyHash: z.exactOptional(
    z.string().check(z.regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hexadecimal digits")),
  ),
  permissions: z._default(z.array(permitSchema), []),
  expiresAt: z.exactOptional(z.iso.datetime({ offset: true, error: "must be an RFC 3339 time" })),
  disabled: z._default(z.boolean(), false),
});

export const stateSchema = z.strictObject({
  projects: z._default(z.array(projectStateSchema), []),
  features: z._default(z.array(featureStateSchema), []),
  apiKeys: z._default(z.array(apiKeyStateSchema), []),
});

export type State = z.infer<typeof stateSchema>;
export type FeatureState = z.infer<typeof featureStateSchema>;
export type ApiKeyState = z.infer<typeof apiKeyStateSchema>;
