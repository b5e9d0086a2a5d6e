/** Scenarios of a feature that is created or deleted while others read it, change it, and create or delete it too. */
import { creating, deleting, readingFeature, restoring, switching } from "./requests.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { idempotentInOne, once, plain, sequence, untilDone } from "./scripts.ts";
import { seeded } from "./seed.ts";

const one = ["dev"];
const two = ["dev", "prod"];
const without = (environments: readonly string[]) => ({ ...seeded(environments), features: [] });

export const creationScenarios: readonly Scenario[] = [
  scenario(
    "a creation of a feature, and a read of it",
    two,
    { a: untilDone(creating("a", two)), b: once(readingFeature("b", two)) },
    { succeed: ["a"], state: without(two), isTorn: true, isLong: true },
  ),
  scenario(
    "a creation of a feature, and a switch of it",
    two,
    { a: untilDone(creating("a", two)), b: once(switching({ id: "b", to: "on", environments: two })) },
    { mostFaults: 1, succeed: ["a"], state: without(two), isTorn: true },
  ),
  scenario(
    "two creations of one feature",
    one,
    { a: untilDone(creating("a", one)), b: once(creating("b", one)) },
    { mostFaults: 1, mostPreemptions: 2, state: without(one), isLong: true },
  ),
  scenario(
    "a feature is deleted and restored, and another creation of it",
    one,
    { a: sequence(untilDone(deleting("a")), untilDone(restoring("r", one))), b: once(creating("b", one)) },
    { mostFaults: 1, mostPreemptions: 2, isLong: true },
  ),
  scenario(
    "a deletion of a feature, and a patch of one environment",
    two,
    { a: untilDone(deleting("a")), b: idempotentInOne("b", "prod") },
    { mostFaults: 1, isTorn: true },
  ),
  scenario(
    "two deletions of one feature, and a patch of it",
    one,
    { a: untilDone(deleting("a")), b: once(deleting("b")), c: idempotentInOne("c", "dev") },
    { mostFaults: 1, isLong: true },
  ),
  scenario(
    "a deletion of a feature, its restoration, and a patch of it",
    one,
    // A restored feature does not know the idempotency keys that it had, so the patch is not retried.
    { a: untilDone(deleting("a")), b: once(restoring("b", one)), c: plain("c", one) },
    { mostFaults: 1, isLong: true },
  ),
  scenario(
    "a deletion of a feature, and its creation",
    one,
    { a: once(deleting("a")), b: untilDone(creating("b", one)) },
    { mostFaults: 1 },
  ),
  scenario(
    "a deletion of a feature, its creation and restoration, and a switch of it",
    one,
    {
      a: once(deleting("a")),
      b: sequence(once(creating("b", one)), once(restoring("r", one))),
      c: once(switching({ id: "c", to: "on", environments: one })),
    },
    { faults: ["late", "killed"], mostFaults: 1, mostPreemptions: 2, isLong: true },
  ),
  scenario(
    "a feature is deleted, restored, switched and deleted, and another restoration of it",
    one,
    {
      a: sequence(
        once(deleting("a")),
        once(restoring("r", one)),
        once(switching({ id: "c", to: "on", environments: one })),
        once(deleting("d")),
      ),
      b: once(restoring("b", one)),
    },
    { mostFaults: 0, mostPreemptions: 3 },
  ),
].map((scenario) => ({ ...scenario, dropsNone: true }));
