/** Scenarios of patches of strategies while others patch variants, and switch. */
import { patching, patchingStrategies, switching } from "./requests.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { once, plain, thenUndo, untilDone } from "./scripts.ts";
import { seededWithStrategies } from "./seed.ts";

const one = ["dev"];
const two = ["dev", "prod"];

export const strategyScenarios: readonly Scenario[] = [
  scenario(
    "a patch of strategies and a concurrent patch of variants",
    one,
    { a: once(patchingStrategies({ id: "a", environments: one })), b: plain("b", one) },
    { state: seededWithStrategies(one), isLong: true },
  ),
  scenario(
    "patches of strategies in two environments with idempotency keys",
    two,
    {
      a: untilDone(patchingStrategies({ id: "a", environments: two, isIdempotent: true })),
      b: untilDone(patchingStrategies({ id: "b", environments: two, isIdempotent: true })),
    },
    { mostFaults: 1, succeed: ["a", "b"], state: seededWithStrategies(two) },
  ),
  scenario(
    "an undo of a patch of strategies and a concurrent switch",
    one,
    {
      a: thenUndo(patchingStrategies({ id: "a", environments: one }), one),
      b: once(switching({ id: "b", to: "on", environments: one })),
    },
    { mostFaults: 1, state: seededWithStrategies(one) },
  ),
  scenario(
    "an undo of a patch of variants and a concurrent patch of strategies",
    one,
    {
      a: thenUndo(patching({ id: "a", environments: one }), one),
      b: once(patchingStrategies({ id: "b", environments: one })),
    },
    { mostFaults: 1, state: seededWithStrategies(one) },
  ),
];
