/** The hints of what SDKs do not see of a change. */
import { describe, expect, it } from "vitest";
import type { Strategy } from "../../../../lib/contract/strategies.ts";
import { hintOf } from "../../../../lib/features/change/hints.ts";
import { type Aspect, type EnvironmentContent, emptyContent } from "../../../../lib/features/model.ts";
import { variant } from "../../../support/seed.ts";

const strategy = (id: string, rest: Partial<Strategy> = {}): Strategy => ({
  id,
  name: "flexibleRollout",
  sortOrder: 0,
  parameters: {},
  constraints: [],
  variants: [],
  ...rest,
});
const plain = strategy("plain");
const varied = strategy("varied", { variants: [variant("own")] });
const unknown = strategy("unknown", { name: "ours" });
const off = (one: Strategy): Strategy => ({ ...one, disabled: true });
const variants = [variant("blue")];
const targeting = "{}";

const own = 'SDKs of Unleash do not see these variants where strategy "varied" matches, which has its own';
const ofFlagd = "flagd does not see the weights: the targeting of the feature decides";
const noUser = "All strategies are disabled, so the feature is on for no user";
const undefinedStrategy =
  'SDKs do not know the strategy "ours": only applications that define it can match it';

describe("after a change of", () => {
  it.each<[Aspect, string, Partial<EnvironmentContent>, string | undefined]>([
    ["variants", "a strategy has variants of its own", { variants, strategies: [plain, varied] }, own],
    ["variants", "that strategy is disabled", { variants, strategies: [off(varied)] }, undefined],
    ["variants", "no variant is left", { variants: [], strategies: [varied] }, undefined],
    ["variants", "no strategy has variants", { variants, strategies: [plain] }, undefined],
    ["strategies", "a strategy has variants of its own", { variants, strategies: [varied] }, undefined],
    ["variants", "targeting decides", { variants, targeting }, ofFlagd],
    ["variants", "targeting decides too", { variants, targeting, strategies: [varied] }, own],
    ["enabled", "targeting decides", { variants, targeting }, undefined],
    ["strategies", "all are disabled", { strategies: [off(plain)] }, noUser],
    ["enabled", "all strategies are disabled", { strategies: [off(plain)] }, noUser],
    ["enabled", "the feature is off", { enabled: false, strategies: [off(plain)] }, undefined],
    ["variants", "all strategies are disabled", { variants, strategies: [off(plain)] }, undefined],
    ["strategies", "one is not disabled", { strategies: [off(plain), plain] }, undefined],
    ["strategies", "none is left", { strategies: [] }, undefined],
    ["strategies", "SDKs do not know one", { strategies: [plain, unknown] }, undefinedStrategy],
    [
      "strategies",
      "the one that SDKs do not know is disabled",
      { strategies: [plain, off(unknown)] },
      undefined,
    ],
    ["enabled", "SDKs do not know a strategy", { strategies: [unknown] }, undefined],
  ])("%s, where %s", (aspect, _, content, hint) => {
    expect(hintOf({ ...emptyContent, enabled: true, ...content }, [aspect], {})).toBe(hint);
  });

  it.each([
    "default",
    "flexibleRollout",
    "userWithId",
    "remoteAddress",
    "applicationHostname",
    "gradualRolloutUserId",
    "gradualRolloutSessionId",
    "gradualRolloutRandom",
  ])("strategies, SDKs know %s", (name) => {
    const strategies = [strategy("s", { name })];

    expect(hintOf({ ...emptyContent, enabled: true, strategies }, ["strategies"], {})).toBeUndefined();
  });
});

it("hints are joined as sentences", () => {
  const guard = { name: "errors", seconds: 60 };
  const plan = { ...emptyContent, hint: "Two" };

  expect(hintOf(plan, [], { guard })).toBe(
    "This environment does not change, so there is nothing to guard. Two",
  );
  expect(hintOf(plan, ["variants"], { guard })).toBe("Two");
  expect(hintOf(emptyContent, [], {})).toBeUndefined();
});
