/** Scenarios of a feature that is switched on and off while others patch it. */
import { patching, switching } from "./requests.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { idempotent, once, plain, sequence, thenUndo, untilDone } from "./scripts.ts";

const one = ["dev"];
const two = ["dev", "prod"];
const on = (id: string, environments: readonly string[]) => once(switching({ id, to: "on", environments }));

export const switchScenarios: readonly Scenario[] = [
  scenario("a switch and a concurrent patch", one, { a: on("a", one), b: plain("b", one) }, { isLong: true }),
  scenario(
    "a switch of two environments and a concurrent patch, both with idempotency keys",
    two,
    {
      a: untilDone(switching({ id: "a", to: "on", environments: two, isIdempotent: true })),
      b: idempotent("b", two),
    },
    { mostFaults: 1, succeed: ["a", "b"] },
  ),
  scenario(
    "on with an idempotency key, and off and on again by another caller",
    one,
    {
      a: untilDone(switching({ id: "a", to: "on", environments: one, isIdempotent: true })),
      b: sequence(
        once(switching({ id: "b1", to: "off", environments: one })),
        once(switching({ id: "b2", to: "on", environments: one })),
      ),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "an undo of a switch and a concurrent patch",
    one,
    { a: thenUndo(switching({ id: "a", to: "on", environments: one }), one), b: plain("b", one) },
    { mostFaults: 1 },
  ),
  scenario(
    "an undo of a patch and a concurrent switch",
    one,
    { a: thenUndo(patching({ id: "a", environments: one }), one), b: on("b", one) },
    { mostFaults: 1 },
  ),
];
