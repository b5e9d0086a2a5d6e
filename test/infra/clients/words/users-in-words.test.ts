/** Which users get a feature, in one line, as lists of the page and of the command line say it. */
import { expect, it } from "vitest";
import { usersInWords } from "../../../../infra/clients/words/users-in-words.ts";

type Listed = Parameters<typeof usersInWords>[0];

const strategy = (name: string, others = {}) => ({
  name,
  parameters: {},
  constraintCount: 0,
  variants: [],
  ...others,
});
const quarter = { rollout: "25", stickiness: "userId" };

it.each<[string, Omit<Listed, "enabled">, on: string, off: string]>([
  ["nothing restricts it", {}, "everyone", ""],
  ["its strategy is for everyone", { strategies: [strategy("default")] }, "everyone", ""],
  [
    "its strategy is one of the client's own, with a misleading name",
    { strategies: [strategy("everyone")] },
    "everyone",
    "when on: everyone",
  ],
  [
    "it is rolled out under a constraint",
    { strategies: [strategy("flexibleRollout", { parameters: quarter, constraintCount: 1 })] },
    "25 % by userId · 1 constraint",
    "when on: 25 % by userId · 1 constraint",
  ],
  [
    "it has no strategy but a parent",
    { dependencyCount: 1 },
    "everyone · depends on 1 feature",
    "when on: everyone · depends on 1 feature",
  ],
  [
    "flagd decides alone",
    { hasTargeting: true },
    "whom flagd's own logic picks",
    "when on: whom flagd's own logic picks",
  ],
  [
    "every strategy is disabled",
    { strategies: [strategy("default", { disabled: true })] },
    "no user, as every strategy is disabled",
    "when on: no user, as every strategy is disabled",
  ],
])("says who gets a feature where %s", (_, listed, on, off) => {
  expect([true, false].map((enabled) => usersInWords({ ...listed, enabled }))).toEqual([on, off]);
});
