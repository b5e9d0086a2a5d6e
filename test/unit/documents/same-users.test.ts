/**
 * Real SDKs give 1,000 users the same by a document that is made from the state as by Unleash's own; and flagd gives a
 * rollout's share of them the feature.
 */
import { FlagdCore, MemoryStorage } from "@openfeature/flagd-core";
import { describe, expect, it } from "vitest";
import type { Constraint, Strategy } from "../../../lib/contract/strategies.ts";
import { strategySchema } from "../../../lib/contract/strategies.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { flagd } from "../../../lib/documents/flagd.ts";
import type { ServedFeature } from "../../../lib/documents/format.ts";
import { createOmissions } from "../../../lib/documents/omissions.ts";
import { unleash } from "../../../lib/documents/unleash.ts";
import { times } from "../../support/patching.ts";
import { variant } from "../../support/seed.ts";
import { type Document, differing, evaluate, type User, users } from "../../support/unleash-users.ts";

const silent = { error() {}, warn() {}, info() {}, debug() {} };

const share = (name: string, weight: number, rest: Partial<Variant> = {}) =>
  variant(name, { weight, ...rest });
const rollout = (percent: number, stickiness = "default", groupId = "group") => ({
  rollout: String(percent),
  stickiness,
  groupId,
});

/** Makes a strategy as Unleash has it in the document of its SDKs, and in an export. */
const strategy = (rest: Partial<Strategy>): Strategy =>
  strategySchema.parse({
    id: `s${Math.random()}`,
    name: "flexibleRollout",
    sortOrder: 0,
    parameters: rollout(100),
    ...rest,
  });

const constraint = (
  contextName: string,
  operator: Constraint["operator"],
  given: string | string[],
  rest = {},
) => ({
  contextName,
  operator,
  ...(typeof given === "string" ? { value: given } : { values: given }),
  ...rest,
});

const conditions: Constraint[] = [
  constraint("country", "IN", ["de", "fr"]),
  constraint("country", "IN", [" de ", ""], { inverted: true }),
  constraint("country", "NOT_IN", ["de", "fr"]),
  constraint("absent", "NOT_IN", ["de"]),
  constraint("absent", "IN", ["de"]),
  constraint("email", "STR_STARTS_WITH", ["user1", "user2"]),
  constraint("email", "STR_ENDS_WITH", ["@a.example"]),
  constraint("email", "STR_ENDS_WITH", ["@A.EXAMPLE"], { caseInsensitive: true }),
  constraint("email", "STR_CONTAINS", ["9@"], { inverted: true }),
  constraint("absent", "STR_CONTAINS", ["9@"], { inverted: true }),
  constraint("age", "NUM_EQ", "18"),
  constraint("age", "NUM_GT", "18"),
  constraint("age", "NUM_GTE", "18"),
  constraint("age", "NUM_LT", "18.5"),
  constraint("absent", "NUM_LT", "18.5"),
  constraint("absent", "NUM_LTE", "18.5", { inverted: true }),
  constraint("age", "NUM_LTE", "18"),
  constraint("currentTime", "DATE_AFTER", "2020-01-01T00:00:00Z"),
  constraint("currentTime", "DATE_BEFORE", "2020-01-01T00:00:00Z"),
  constraint("version", "SEMVER_EQ", "1.2.3"),
  constraint("version", "SEMVER_GT", "1.2.3"),
  constraint("version", "SEMVER_GTE", "1.2.3"),
  constraint("version", "SEMVER_LT", "1.10.0-beta.1"),
  constraint("version", "SEMVER_LTE", "1.2.3"),
  constraint("email", "REGEX", "^user[1-3]+@"),
  constraint("ip", "IN_CIDR", ["10.0.0.0/9"]),
];

const own = [
  share("z", 300, { weightType: "fix", stickiness: "userId" }),
  share("a", 700, { payload: { type: "string", value: "A" } }),
];
const shared = [
  share("blue", 400, { overrides: [{ contextName: "country", values: ["de"] }] }),
  share("green", 600),
];
const only = [share("only", 1000)];
const unweighted = [share("red", 0, { overrides: [{ contextName: "country", values: ["de"] }] })];

const features: ServedFeature[] = [
  ...conditions.map((one, index) =>
    served(`condition-${index}-${one.operator}`, [strategy({ constraints: [one] })], shared),
  ),
  served("rollout with variants", [strategy({ parameters: rollout(25), variants: own })]),
  served("rollout by session", [strategy({ parameters: rollout(50, "sessionId") })], shared),
  served(
    "two strategies",
    [
      strategy({
        constraints: [constraint("country", "IN", ["de"])],
        variants: own,
        parameters: rollout(60),
      }),
      strategy({ parameters: rollout(30) }),
    ],
    shared,
  ),
  served(
    "one is disabled",
    [strategy({ disabled: true, variants: own }), strategy({ parameters: rollout(10) })],
    shared,
  ),
  served("users", [strategy({ name: "userWithId", parameters: { userIds: "user-1, user-2,user-3" } })]),
  served("for everyone", [], shared),
  served(
    "weights of 0 in a strategy",
    [german([share("red", 0)]), strategy({ variants: only })],
    [share("blue", 1000)],
  ),
  served("weights of 0 in the environment", [german([]), strategy({ variants: only })], unweighted),
];

function german(variants: Variant[]): Strategy {
  return strategy({ constraints: [constraint("country", "IN", ["de"])], variants });
}

function served(name: string, strategies: Strategy[], variants: Variant[] = []): ServedFeature {
  return { name, project: "default", enabled: true, variants, strategies, dependencies: [], targeting: null };
}

/** The document that Unleash's server makes: strategies that are disabled are left out, segments are apart. */
const original = {
  version: 2,
  features: features.map(({ dependencies: _, targeting: __, strategies, ...feature }) => ({
    ...feature,
    strategies: strategies
      .filter(({ disabled }) => !disabled)
      .map(({ id, sortOrder, disabled, title, constraints, ...rest }) => ({
        ...rest,
        constraints: constraints.slice(1),
        segments: constraints.length > 0 ? [id] : [],
      })),
  })),
  segments: features.flatMap(({ strategies }) =>
    strategies.map(({ id, constraints }) => ({ id, constraints: constraints.slice(0, 1) })),
  ),
};

describe("Unleash's SDK", () => {
  const made = unleash(features, { environment: "production" }, createOmissions()) as Document;

  it.each(features.map(({ name }) => name))("gives all users the same: %s", (name) => {
    expect(differing(original, made, name)).toEqual([]);
  });
});

describe("flagd's engine", () => {
  const omissions = createOmissions();
  const document = JSON.stringify(flagd(features, { environment: "production" }, omissions));
  const core = new FlagdCore(undefined, silent);
  new MemoryStorage(silent).setConfigurations(document, true);
  core.setConfigurations(document);
  const flags = JSON.parse(document).flags;
  const context = ({ userId, ...rest }: User) => ({ targetingKey: userId, userId, ...rest }) as never;
  const valueFor = (name: string, user: User) => {
    if ("on" in flags[name].variants) return core.resolveBooleanEvaluation(name, false, context(user)).value;
    return core.resolveStringEvaluation(name, "none", context(user)).value;
  };

  /** flagd takes "v1.2.3" and "1" for versions too; Unleash's SDKs do not. */
  const isOfBoth = ({ version = "" }) => /^\d+\.\d+\.\d+$/.test(version);

  it("has every feature but those of operators that it lacks", () => {
    const leftOut = omissions.list().filter(({ what }) => what === "features");
    expect(leftOut.map(({ why, count }) => [why, count])).toEqual([
      ["flagd compares STR_ENDS_WITH with case", 1],
      ["flagd has no REGEX", 1],
      ["flagd has no IN_CIDR", 1],
    ]);
  });

  it.each(features.map(({ name }) => name).filter((name) => name.startsWith("condition") && flags[name]))(
    "is on for the same users by a condition: %s",
    (name) => {
      const others = users
        .filter(isOfBoth)
        .filter((user) => evaluate(original, name, user)[0] !== (valueFor(name, user) !== "none"));

      expect(others.map(({ version, age }) => ({ version, age }))).toEqual([]);
    },
  );

  it.each(["weights of 0 in a strategy", "weights of 0 in the environment"])(
    "gives all users the variant of Unleash's SDK: %s",
    (name) => {
      const variantFor = (user: User) => {
        const [, variant] = evaluate(original, name, user);
        return variant.enabled ? variant.name : "none";
      };

      expect(users.filter((user) => valueFor(name, user) !== variantFor(user))).toEqual([]);
    },
  );

  it("gives the default of the code where a text that is no number is compared with one, unlike Unleash's SDK", () => {
    const adults = strategy({ constraints: [constraint("age", "NUM_GTE", "18")] });
    const feature = served("adults or all", [adults, strategy({})]);
    const scope = { environment: "e" };
    const one = new FlagdCore(undefined, silent);
    one.setConfigurations(JSON.stringify(flagd([feature], scope, createOmissions())));
    const [user] = users;
    const unknownAge = { ...user, age: "unknown" } as User;

    const evaluated = one.resolveBooleanEvaluation(feature.name, false, context(unknownAge));

    expect(evaluated).toMatchObject({ value: false, reason: "ERROR" });
    expect(
      evaluate(unleash([feature], scope, createOmissions()) as Document, feature.name, unknownAge)[0],
    ).toBe(true);
  });

  it("is on for a quarter of the users by a rollout of 25 %, and for the same at 50 %", () => {
    const at = (percent: number) => {
      const feature = served("f", [{ ...strategy({ parameters: rollout(percent) }), id: "s1" }]);
      const one = new FlagdCore(undefined, silent);
      one.setConfigurations(JSON.stringify(flagd([feature], { environment: "e" }, createOmissions())));
      return new Set(
        times(10_000, (index) => `user-${index}`).filter(
          (targetingKey) => one.resolveBooleanEvaluation("f", false, { targetingKey } as never).value,
        ),
      );
    };
    const [quarter, half] = [at(25), at(50)];

    expect(quarter.size).toBeGreaterThan(2400);
    expect(quarter.size).toBeLessThan(2600);
    expect([...quarter].every((user) => half.has(user))).toBe(true);
  });

  it("spreads the variants among those in a rollout, by their weights", () => {
    const values = users.map((user) => valueFor("rollout with variants", user));
    const count = (value: string) => values.filter((one) => one === value).length;

    expect(count("none") / 1000).toBeCloseTo(0.75, 1);
    expect(count("A") / (1000 - count("none"))).toBeCloseTo(0.7, 0);
  });
});
