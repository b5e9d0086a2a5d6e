/** How the content of an environment and its changes are stored. */
import { expect, it } from "vitest";
import type { Strategy } from "../../../lib/contract/strategies.ts";
import {
  aspects,
  type EnvironmentChange,
  type EnvironmentContent,
  emptyContent,
} from "../../../lib/features/model.ts";
import {
  contentOfItem,
  fromStoredChange,
  toStoredChange,
  toStoredContent,
} from "../../../lib/store/items/stored-content.ts";
import { times } from "../../support/patching.ts";
import { variant } from "../../support/seed.ts";

const stamp = { id: "c", by: "ci", at: "2026-01-01T00:00:00.000Z", requestId: "r" };
const change = { ...stamp, revision: 2, writtenAt: stamp.at, oldTop: null };
const strategy = (values: number): Strategy => ({
  ...{ id: "s1", name: "default", sortOrder: 0, parameters: {}, variants: [] },
  constraints: [{ contextName: "userId", operator: "IN", values: times(values, (index) => `user-${index}`) }],
});

it.each([0, 1, 1000])("a content with %i users in a strategy is read as it was stored", (users) => {
  const content = {
    enabled: true,
    variants: [variant("a")],
    strategies: [strategy(users)],
    dependencies: [{ feature: "parent" }],
    targeting: "{}",
  };

  const stored = toStoredContent(content);

  expect(contentOfItem(stored)).toEqual(content);
  expect(typeof stored.audience).toBe(users > 100 ? "string" : "object");
});

it.each(aspects)(
  "an item that was stored before it could have %s has that of a new environment",
  (aspect) => {
    const content = { ...emptyContent, variants: [variant("a")] };
    const { [aspect]: _, ...older } = content;

    const stored = toStoredContent(older as EnvironmentContent);

    expect(contentOfItem(stored)).toEqual({ ...content, [aspect]: emptyContent[aspect] });
  },
);

it.each<[string, EnvironmentChange["old"]]>([
  ["nothing", {}],
  ["the switch", { enabled: false }],
  ["the targeting, where there was none", { targeting: null }],
  ["short strategies", { strategies: [] }],
  ["long strategies and the variants", { strategies: [strategy(1000)], variants: [] }],
])("a change that replaced %s is read as it was stored", (_, old) => {
  const stored = toStoredChange({ ...change, old });

  expect(fromStoredChange(structuredClone(stored))).toEqual({ ...change, old });
});
