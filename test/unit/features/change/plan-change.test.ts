/** The plan of an environment: the hint of what SDKs will not see. */
import { expect, it } from "vitest";
import type { Strategy } from "../../../../lib/contract/strategies.ts";
import { planEnvironment } from "../../../../lib/features/change/plan-change.ts";
import type { ChangeRequest, Edit, EnvironmentState } from "../../../../lib/features/model.ts";
import { add, replace } from "../../../support/patching.ts";
import { environmentState, variant } from "../../../support/seed.ts";

const withWeight: Edit = {
  kind: "patch",
  root: "variants",
  patch: [add("/ours", { weight: 1 })],
  form: "name",
};
const withoutHint: Edit = {
  kind: "patch",
  root: "variants",
  patch: [replace("/blue/stickiness", "userId")],
  form: "name",
};
const switchOn: Edit = { kind: "switch", enabled: true };
const lost = 'The weight 1 of variant "ours" has no effect';

const rollout = (rest: Partial<Strategy> = {}): Strategy => ({
  id: "s1",
  name: "flexibleRollout",
  sortOrder: 0,
  parameters: { rollout: "50" },
  constraints: [],
  variants: [],
  ...rest,
});
const own = 'SDKs of Unleash do not see these variants where strategy "s1" matches, which has its own';
const addingStrategy = (name: string): Edit => ({
  kind: "strategy",
  id: "s2",
  action: "add",
  patch: [{ op: "add", path: "", value: { id: "s2", name, parameters: {} } }],
});
const noUser = "All strategies are disabled, so the feature is on for no user";

it.each<[string, Edit, Partial<EnvironmentState>, string | undefined]>([
  [
    "a patch where a strategy has variants",
    withoutHint,
    { strategies: [rollout({ variants: [variant("a")] })] },
    own,
  ],
  [
    "a patch that has a hint too",
    withWeight,
    { strategies: [rollout({ variants: [variant("a")] })] },
    `${own}. ${lost}`,
  ],
  ["a patch where none has", withoutHint, { strategies: [rollout()] }, undefined],
  [
    "a patch where flagd has its own logic",
    withoutHint,
    { targeting: "{}" },
    "flagd does not see the weights",
  ],
  [
    "a switch where all are disabled",
    switchOn,
    { enabled: false, strategies: [rollout({ disabled: true })] },
    noUser,
  ],
  ["a switch that changes nothing", switchOn, { strategies: [rollout({ disabled: true })] }, undefined],
  [
    "a strategy whose name SDKs do not know",
    addingStrategy("flexibleRolout"),
    {},
    'SDKs do not know the strategy "flexibleRolout"',
  ],
  ["a strategy that SDKs know", addingStrategy("userWithId"), {}, undefined],
])("hints at what SDKs will not see, after any other hint: %s", (_, edit, state, hint) => {
  const planned = planEnvironment(requestOf(edit), { state: environmentState(state) });

  expect(planned.hint?.slice(0, hint?.length)).toBe(hint);
});

it("hints that nothing is under a guard where nothing changes", () => {
  const { stamp, ...rest } = requestOf(switchOn);
  const guarded = { ...rest, stamp: { ...stamp, guard: { name: "errors", seconds: 60 } } };

  expect(planEnvironment(guarded, { state: environmentState() })).toMatchObject({
    kind: "unchanged",
    hint: "This environment does not change, so there is nothing to guard",
  });
});

it.each([{ kind: "switch", enabled: false }, withoutHint] as const)(
  "has no hint where SDKs see it: $kind",
  (edit) => {
    expect(planEnvironment(requestOf(edit), { state: environmentState() }).hint).toBeUndefined();
  },
);

function requestOf(edit: Edit): ChangeRequest {
  return {
    target: { project: "p", feature: "f" },
    caller: { name: "ci", permissions: [{ permission: "ADMIN" }] },
    stamp: { id: "ours", by: "ci", at: new Date().toISOString(), requestId: "r" },
    edit,
    preconditions: {},
    isStrict: false,
    mostMoves: undefined,
  };
}
