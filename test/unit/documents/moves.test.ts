/** Real SDKs give as many users something else as was computed, within what a sample of them can show. */
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import { FlagdCore } from "@openfeature/flagd-core";
import { beforeEach, describe, expect, it } from "vitest";
import { type Strategy, strategySchema } from "../../../lib/contract/strategies.ts";
import { flagd } from "../../../lib/documents/flagd.ts";
import { createOmissions } from "../../../lib/documents/omissions.ts";
import { unleash } from "../../../lib/documents/unleash.ts";
import { type EnvironmentContent, emptyContent } from "../../../lib/features/model.ts";
import { movedShare } from "../../../lib/features/moves/moved-share.ts";
import { movesBetween } from "../../../lib/features/moves/moves.ts";
import { times } from "../../support/patching.ts";
import { silent } from "../../support/sdks.ts";
import { variant } from "../../support/seed.ts";

const require = createRequire(import.meta.url);
const { default: Client } = require("unleash-client/lib/client");
const { defaultStrategies } = require("unleash-client/lib/strategy");

const feature = "checkout";
const count = 5_000;

/** Fields with different values, so that another stickiness always chooses anew. */
const users = times(count, (index) => ({
  userId: `user-${index}`,
  properties: { tenant: `t${index * 7}`, region: `r-${index * 13}`, country: index % 4 ? "de" : "fr" },
  featureToggle: feature,
}));

/** The same numbers in each run: a failure is no accident. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

let random: () => number;
beforeEach(() => {
  random = createRandom(7);
});
const below = (most: number) => Math.floor(random() * most);
const oneOf = <One>(...all: One[]): One => all[below(all.length)] as One;

const fields = () => oneOf("default", "default", "tenant", "region");
const groups = () => oneOf("checkout", "other", "third");

/** In any order; the sum of the weights is 1000 in most. */
function drawVariants() {
  const names = ["blue", "green", "red", "teal"].sort(() => random() - 0.5).slice(0, below(5));
  const stickiness = fields();
  let left = oneOf(1000, 1000, 1000, 750);
  return names.map((name, index) => {
    const weight = index === names.length - 1 ? left : below(left + 1);
    left -= weight;
    return variant(name, { weight, stickiness });
  });
}

function drawStrategy(id: string, constraints: Strategy["constraints"] = []): Strategy {
  const parameters = {
    rollout: String(oneOf(0, 10, 25, 33.3, 50, 75, 100, 100)),
    stickiness: fields(),
    groupId: groups(),
  };
  return strategySchema.parse({
    id,
    name: oneOf("flexibleRollout", "flexibleRollout", "flexibleRollout", "default"),
    disabled: random() < 0.1,
    sortOrder: below(3),
    parameters,
    constraints,
    variants: random() < 0.3 ? drawVariants() : [],
  });
}

/** Another state like it: one or more of its parts are drawn again. */
function redraw(before: EnvironmentContent): EnvironmentContent {
  const [first = drawStrategy("a")] = before.strategies;
  const { parameters } = first;
  const changed: Partial<EnvironmentContent>[] = [
    { enabled: random() < 0.8 },
    { variants: drawVariants() },
    { variants: [...before.variants].reverse() },
    { variants: before.variants.map((one) => ({ ...one, stickiness: "tenant" })) },
    { strategies: random() < 0.3 ? [] : [drawStrategy("a")] },
    { strategies: [{ ...first, parameters: { ...parameters, rollout: String(below(101)) } }] },
    { strategies: [{ ...first, parameters: { ...parameters, groupId: groups() } }] },
    { strategies: [{ ...first, disabled: random() < 0.5, variants: drawVariants() }] },
  ];
  return { ...before, ...oneOf(...changed), ...(random() < 0.3 && oneOf(...changed)) };
}

/** What each user gets: a variant, the feature without one, or not the feature. */
function evaluate(content: EnvironmentContent, of = users): (string | true | null)[] {
  const document = unleash(
    [{ ...content, name: feature, project: "p" }],
    { environment: "e" },
    createOmissions(),
  );
  const [toggle] = (document as { features: object[] }).features;
  const client = new Client({ getToggle: () => toggle, getSegment: () => undefined }, defaultStrategies);
  return of.map((user) => {
    const { name, enabled, feature_enabled } = client.getVariant(feature, user);
    return enabled ? name : feature_enabled ? true : null;
  });
}

type Results = readonly (string | true | null)[];

function seenMoves(before: Results, after: Results): Map<string, number> {
  const seen = new Map<string, number>();
  for (const [index, from] of before.entries()) {
    const to = after[index] ?? null;
    if (from === to) continue;
    const pair = JSON.stringify([from, to]);
    seen.set(pair, (seen.get(pair) ?? 0) + 1);
  }
  return seen;
}

/** Five standard deviations of a sample of this size: two of 1,000,000 are farther off. */
function isWithinSampling(seen: number, share: number, size: number): boolean {
  return Math.abs(seen / size - share) <= 5 * Math.sqrt((share * (1 - share)) / size);
}

/** The fields, by strategy, without which users are in no rollout. */
function requiredFields({ strategies }: EnvironmentContent): object {
  const rollouts = strategies.filter(
    ({ name, disabled, parameters: { rollout, stickiness } }) =>
      name === "flexibleRollout" && !disabled && rollout !== "0" && stickiness !== "default",
  );
  return Object.fromEntries(rollouts.map(({ id, parameters }) => [id, parameters.stickiness]));
}

/** Whether the share may be unknown: another field is required. */
function mayBeUnknown(before: EnvironmentContent, after: EnvironmentContent): boolean {
  return !isDeepStrictEqual(requiredFields(before), requiredFields(after));
}

/** Where a pair was seen that is not within the sampling of what was computed. */
function differences(
  moves: ReturnType<typeof movesBetween>,
  [before, after]: readonly [Results, Results],
  { unknown = false } = {},
): object[] {
  if (unknown && moves.some(({ share }) => share === null)) return [];
  const seen = seenMoves(before, after);
  const computed = new Map(
    moves.map((one) => ("from" in one ? [JSON.stringify([one.from, one.to]), one.share] : ["", Number.NaN])),
  );
  return [...new Set([...seen.keys(), ...computed.keys()])]
    .map((pair) => ({ pair, seen: seen.get(pair) ?? 0, share: computed.get(pair) ?? 0 }))
    .filter(({ seen, share }) => !isWithinSampling(seen, share, before.length));
}

describe("Unleash's SDK", () => {
  // Thousands of users take seconds on a busy machine.
  it("moves as many of 5,000 users as was computed, for 100 pairs of states", { timeout: 120_000 }, () => {
    let content: EnvironmentContent = {
      enabled: true,
      variants: drawVariants(),
      strategies: [],
      dependencies: [],
      targeting: null,
    };
    let results = evaluate(content);
    let moving = 0;
    const wrong = times(100, () => {
      const next = redraw(content);
      const moves = movesBetween(feature, content, next);
      const after = evaluate(next);
      const unknown = mayBeUnknown(content, next);
      const found = differences(moves, [results, after], { unknown }).map((one) => ({
        ...one,
        content,
        next,
      }));
      moving += moves.length > 0 ? 1 : 0;
      [content, results] = [next, after];
      return found;
    }).flat();

    expect(wrong).toEqual([]);
    expect(moving).toBeGreaterThan(50);
  });

  it("moves as many of a strategy's users as was computed, and no more of all users", () => {
    const constraints = [{ contextName: "country", operator: "IN" as const, values: ["de"] }];
    const draw = (): EnvironmentContent => ({
      enabled: true,
      variants: fixed,
      strategies: [drawStrategy("a", constraints), drawStrategy("b")]
        .map((one, index) => ({ ...one, sortOrder: index, disabled: index === 1 && random() < 0.2 }))
        .map((one) => (one.parameters.rollout === "0" ? { ...one, name: "default" } : one)),
      dependencies: [],
      targeting: null,
    });
    const fixed = drawVariants();
    const german = users.filter(({ properties }) => properties.country === "de");
    const wrong = times(20, () => {
      const [before, after] = [draw(), draw()];
      const moves = movesBetween(feature, before, after);
      const ofAll = [evaluate(before), evaluate(after)] as const;
      // Where one rollout gives the same as both strategies, the moves are of all users.
      if (moves.every(({ strategy }) => strategy === undefined)) return differences(moves, ofAll);
      if (mayBeUnknown(before, after) && moves.some(({ share }) => share === null)) return [];
      const ofEach = ["a", "b"].flatMap((id) => {
        const only = ({ strategies, ...rest }: EnvironmentContent) => ({
          ...rest,
          strategies: strategies.filter((one) => one.id === id),
        });
        const among = id === "a" ? german : users;
        const both = [evaluate(only(before), among), evaluate(only(after), among)] as const;
        return differences(
          moves.filter(({ strategy }) => strategy === id),
          both,
        );
      });
      const moved = [...seenMoves(...ofAll).values()].reduce((sum, one) => sum + one, 0);
      const most = movedShare(moves) ?? Number.NaN;
      const isBound = moved / count <= most || isWithinSampling(moved, most, count);
      return [...ofEach, ...(isBound ? [] : [{ moved, most }])];
    }).flat();

    expect(wrong).toEqual([]);
  });
});

it("moves no more users of Unleash's SDK than was computed, where some of them lack the field of a stickiness", () => {
  const some = users.map(({ userId, properties: { tenant, ...properties }, ...user }, index) => ({
    ...user,
    ...(index % 3 > 0 && { userId }),
    ...(index % 3 !== 1 && { sessionId: `session-${index * 3}` }),
    properties: { ...properties, ...(index % 2 && { tenant }) },
  })) as typeof users;
  const field = () => oneOf("default", "default", "userId", "sessionId", "tenant");
  const drawRollout = (id: string): Strategy => ({
    ...drawStrategy(id),
    name: "flexibleRollout",
    parameters: { rollout: String(oneOf(0, 25, 50, 100, 100)), stickiness: field(), groupId: "g" },
    variants: [],
  });
  const draw = (): EnvironmentContent => ({
    ...emptyContent,
    enabled: true,
    strategies: ["a", "b"].slice(0, below(3)).map(drawRollout),
  });
  const seen = { unknown: 0, none: 0, bound: 0 };
  const wrong = times(200, () => {
    const before = draw();
    const next = draw();
    const after = {
      ...next,
      strategies: next.strategies.map((one, index) => oneOf(one, before.strategies[index] ?? one)),
    };
    const most = movedShare(movesBetween(feature, before, after));
    seen[most === null ? "unknown" : most === 0 ? "none" : "bound"]++;
    if (most === null) return [];
    const pairs = seenMoves(evaluate(before, some), evaluate(after, some));
    const moved = [...pairs.values()].reduce((sum, one) => sum + one, 0);
    const isBound = moved / count <= most || (most > 0 && isWithinSampling(moved, most, count));
    return isBound ? [] : [{ moved, most, before: before.strategies, after: after.strategies }];
  }).flat();

  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
});

it("moves as many of 5,000 users of Unleash's SDK as was computed, if strategies without constraints give the same", () => {
  const drawStrategies = () =>
    ["a", "b", "c"].slice(0, below(4)).map((id) => {
      const drawn = drawStrategy(id);
      const parameters = { ...drawn.parameters, stickiness: "default", groupId: "g" };
      return { ...drawn, name: "flexibleRollout", parameters, variants: [] };
    });
  const draw = (): EnvironmentContent => ({
    enabled: true,
    variants: drawVariants(),
    strategies: drawStrategies(),
    dependencies: [],
    targeting: null,
  });
  const wrong = times(20, () => {
    const [before, after] = [draw(), draw()];
    return differences(movesBetween(feature, before, after), [evaluate(before), evaluate(after)]);
  }).flat();

  expect(wrong).toEqual([]);
});

describe("flagd's engine", () => {
  it("moves as many of 5,000 users as was computed where the weights sum to 1000", () => {
    const ids = users.map(({ userId }) => userId);
    const evaluateAll = (content: EnvironmentContent) => {
      const core = new FlagdCore(undefined, silent);
      const served = [{ ...content, name: feature, project: "p" }];
      core.setConfigurations(JSON.stringify(flagd(served, { environment: "e" }, createOmissions())));
      return ids.map((targetingKey): string | null => {
        const { value } = core.resolveStringEvaluation(feature, "", { targetingKey } as never);
        return value === "" ? null : value;
      });
    };
    const draw = (): EnvironmentContent => {
      const variants = drawVariants().map((one) => ({ ...one, stickiness: "default" }));
      const total = variants.reduce((sum, { weight }) => sum + weight, 0);
      if (total !== 1000) return draw();
      const rollout = drawStrategy("a");
      const parameters = { ...rollout.parameters, groupId: "g", stickiness: "default" };
      return {
        enabled: true,
        variants,
        strategies: random() < 0.5 ? [] : [{ ...rollout, disabled: false, parameters, variants: [] }],
        dependencies: [],
        targeting: null,
      };
    };
    const wrong = times(20, () => {
      const [before, after] = [draw(), draw()];
      return differences(movesBetween(feature, before, after), [evaluateAll(before), evaluateAll(after)]);
    }).flat();

    expect(wrong).toEqual([]);
  });
});
