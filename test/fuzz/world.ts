/** The content of the table before each scenario, and its API keys. */
import { featureOf, projectOf, tag, variant } from "../support/seed.ts";

export const target = "target";

/** Names that could be confused with the target's: by a separator, case, a space, or a look-alike. */
export const neighbours = ["target#ENVIRONMENT#development", "Target", "tar get", "t\u0430rget", "__proto__"];

export const keys = {
  admin: "burgee-fuzz-key-admin",
  development: "burgee-fuzz-key-of-development",
  nothing: "burgee-fuzz-key-of-nothing",
  client: "burgee-fuzz-key-of-client",
};

const half = { weight: 500 };
const blueAndGreen = [variant("blue", half), variant("green", half)];
const rich = [
  variant("blue", { overrides: [{ contextName: "userId", values: ["1"] }] }),
  variant("green", { weight: 0, weightType: "fix", payload: { type: "json", value: "{}" } }),
];

/** The target's variants in development and production. */
export const starts = [[blueAndGreen, [variant("blue")]] as const, [[], []] as const, [rich, rich] as const];

const strategies = [
  {
    ...{ id: "s1", name: "flexibleRollout", sortOrder: 0, variants: [] },
    parameters: { rollout: "50", stickiness: "userId", groupId: target },
    constraints: [{ contextName: "userId", operator: "IN", values: ["1", "2"] }],
  },
];

/** A feature of a state, with a strategy in each environment. */
function withStrategies({ environments, ...rest }: ReturnType<typeof featureOf>) {
  const whole = Object.entries(environments).map(([name, one]) => [name, { ...Object(one), strategies }]);
  return { ...rest, environments: Object.fromEntries(whole) };
}

export function stateOf([development, production]: (typeof starts)[number]) {
  const lists = { development, production };
  const permission = (permission: string, rest = {}) => ({ permissions: [{ permission, ...rest }] });
  return {
    projects: [projectOf("default", "development", "production"), projectOf("other", "a#b/c")],
    features: [
      withStrategies(featureOf(target, lists, { tags: [tag("team-a")] })),
      ...neighbours.map((name) => featureOf(name, lists)),
      featureOf("elsewhere", { "a#b/c": rich }, { project: "other" }),
    ],
    apiKeys: [
      { name: "admin-of-all", key: keys.admin, ...permission("ADMIN") },
      {
        name: "development",
        key: keys.development,
        ...permission("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { environment: "development" }),
      },
      { name: "nothing", key: keys.nothing },
      { name: "client", key: keys.client, ...permission("CLIENT", { environment: "development" }) },
    ],
  };
}
