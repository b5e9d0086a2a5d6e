/** What the service holds, as one JSON document: for seeds, for operators, and for tests. */
import * as z from "zod/mini";
import { list } from "./list.ts";
import { permitSchema } from "./permissions.ts";
import { tagSchema } from "./tags.ts";
import { variantListSchema } from "./variants.ts";

const name = z.string().check(z.minLength(1, "must not be empty"));

export const projectStateSchema = z.strictObject({ id: name, environments: list(name) });

export const featureStateSchema = z.strictObject({
  name,
  project: name,
  tags: z._default(list(tagSchema), []),
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
  permissions: z._default(list(permitSchema), []),
  expiresAt: z.exactOptional(z.iso.datetime({ offset: true, error: "must be an RFC 3339 time" })),
  disabled: z._default(z.boolean(), false),
});

export const stateSchema = z
  .strictObject({
    projects: z._default(z.array(projectStateSchema), []),
    features: z._default(z.array(featureStateSchema), []),
    apiKeys: z._default(z.array(apiKeyStateSchema), []),
  })
  .check(({ value, issues }) => {
    for (const { path, message } of contradictions(value)) {
      issues.push({ code: "custom", path: [...path], message, input: value });
    }
  });

export type State = z.infer<typeof stateSchema>;
export type FeatureState = z.infer<typeof featureStateSchema>;
export type ApiKeyState = z.infer<typeof apiKeyStateSchema>;

interface Contradiction {
  path: readonly PropertyKey[];
  message: string;
}

/** What no field shows by itself: names given twice, and names of what is not there. */
function* contradictions({ projects, features, apiKeys }: StateLists): Generator<Contradiction> {
  yield* repeated("projects", "id", projects);
  yield* repeated("features", "name", features);
  yield* repeated("apiKeys", "name", apiKeys);
  const environments = new Map(projects.map(({ id, environments }) => [id, new Set(environments)]));
  for (const [index, feature] of features.entries()) {
    const known = environments.get(feature.project);
    if (!known) {
      yield {
        path: ["features", index, "project"],
        message: `is "${feature.project}", which is no project here`,
      };
      continue;
    }
    for (const name of Object.keys(feature.environments ?? {})) {
      if (known.has(name)) continue;
      const path = ["features", index, "environments", name];
      yield { path, message: `is not an environment of project "${feature.project}"` };
    }
  }
  for (const [index, { key, keyHash }] of apiKeys.entries()) {
    if ((key === undefined) !== (keyHash === undefined)) continue;
    yield { path: ["apiKeys", index], message: "must have either key or keyHash" };
  }
}

interface StateLists {
  projects: readonly z.infer<typeof projectStateSchema>[];
  features: readonly FeatureState[];
  apiKeys: readonly ApiKeyState[];
}

function* repeated<Member extends string>(
  list: string,
  member: Member,
  entries: readonly Record<Member, string>[],
): Generator<Contradiction> {
  const seen = new Set<string>();
  for (const [index, { [member]: name }] of entries.entries()) {
    if (seen.has(name)) yield { path: [list, index, member], message: `"${name}" is there twice` };
    seen.add(name);
  }
}
