/** The content of the table before each scenario, and its API keys. */
import { stateSchema } from "../../infra/state/state.ts";
import type { Variant } from "../../lib/contract/variants.ts";

export const target = "target";

/** Names that could be confused with the target's: by a separator, case, a space, or a look-alike. */
export const neighbours = [
  "target#ENVIRONMENT#development",
  "Target",
  "target ",
  "t\u0430rget",
  "target\u0000",
  "target/tags",
  "target\nline",
  "__proto__",
];

export const keys = {
  admin: "burgee-fuzz-key-admin",
  development: "burgee-fuzz-key-of-development",
  tags: "burgee-fuzz-key-of-tags",
  elsewhere: "burgee-fuzz-key-of-elsewhere",
  nothing: "burgee-fuzz-key-of-nothing",
  expired: "burgee-fuzz-key-expired",
  disabled: "burgee-fuzz-key-disabled",
};

const variable = (name: string, weight: number): Variant => ({
  name,
  weight,
  weightType: "variable",
  stickiness: "default",
});

const blueAndGreen = [variable("blue", 500), variable("green", 500)];
const rich: Variant[] = [
  {
    ...variable("blue", 600),
    payload: { type: "json", value: '{"a":1}' },
    overrides: [{ contextName: "userId", values: ["1", "2"] }],
  },
  { ...variable("green", 400), weightType: "fix" },
];

/** The target's variants in development and production. */
export const starts: [Variant[], Variant[]][] = [
  [blueAndGreen, [variable("blue", 1000)]],
  [[], []],
  [rich, rich],
];

export function stateOf(start: number) {
  const [development = [], production = []] = starts[start] ?? [];
  const ofAll = { development: { variants: development }, production: { variants: production } };
  return stateSchema.parse({
    projects: [
      { id: "default", environments: ["development", "production"] },
      { id: "other", environments: ["a#b/c", "production"] },
    ],
    features: [
      { name: target, project: "default", tags: [{ type: "simple", value: "team-a" }], environments: ofAll },
      ...neighbours.map((name) => ({ name, project: "default", environments: ofAll })),
      { name: "elsewhere", project: "other", environments: { "a#b/c": { variants: rich } } },
    ],
    apiKeys: [
      { name: "admin", key: keys.admin, permissions: [{ permission: "ADMIN" }] },
      {
        name: "development",
        key: keys.development,
        permissions: [
          {
            permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
            project: "default",
            environment: "development",
          },
        ],
      },
      { name: "tags", key: keys.tags, permissions: [{ permission: "UPDATE_FEATURE", project: "default" }] },
      { name: "elsewhere", key: keys.elsewhere, permissions: [{ permission: "ADMIN", project: "other" }] },
      { name: "nothing", key: keys.nothing },
      { name: "expired", key: keys.expired, expiresAt: "2020-01-01T00:00:00Z" },
      { name: "disabled", key: keys.disabled, disabled: true },
    ],
  });
}
