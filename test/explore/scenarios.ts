/** Who calls what at the same time, and what may go wrong meanwhile. */
import type { Variant } from "../../lib/contract/variants.ts";
import { operatorScenarios } from "./operator-scenarios.ts";
import { ifUnchanged, inTurn, keyed, limitedKey, once, patching, plain, tagging } from "./requests.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { seededVariants, stateWith } from "./seed.ts";

const one = ["dev"];
const two = ["dev", "prod"];
const three = ["dev", "prod", "test"];

const sameStickiness = [{ op: "replace" as const, path: "/0/stickiness", value: "userId" }];
const settled = seededVariants.map((variant) => ({ ...variant, stickiness: "userId" }));

const [first, second] = seededVariants.flatMap((variant) => [
  { ...variant, weight: 500 },
  { ...variant, name: "b", weight: 500 },
]) as [Variant, Variant];
const removeSecond = [{ op: "remove" as const, path: "/1" }];
const removing = (id: string) =>
  once(patching({ id, environments: one, patch: removeSecond, isExhaustible: true }));

export const scenarios: readonly Scenario[] = [
  scenario("two patches of one environment", one, { a: plain("a", one), b: plain("b", one) }),
  scenario(
    "the same, where a failed condition does not bring the item",
    one,
    { a: plain("a", one), b: plain("b", one) },
    { showsOldItem: false },
  ),
  scenario(
    "two keyed patches of two environments",
    two,
    { a: keyed("a", two), b: keyed("b", two) },
    { succeed: ["a", "b"] },
  ),
  scenario(
    "two keyed patches of three environments",
    three,
    { a: keyed("a", three), b: keyed("b", three) },
    { succeed: ["a", "b"] },
  ),
  scenario(
    "three keyed patches of one environment",
    one,
    { a: keyed("a", one), b: keyed("b", one), c: keyed("c", one) },
    { succeed: ["a", "b", "c"] },
  ),
  scenario("a keyed patch while others push it out of the list", one, {
    a: keyed("a", one),
    b: inTurn(keyed("b1", one), keyed("b2", one)),
  }),
  scenario("a patch while others push it out of the list", one, {
    a: plain("a", one),
    b: inTurn(plain("b1", one), plain("b2", one), plain("b3", one)),
  }),
  scenario(
    "patches that leave an environment as it is",
    two,
    {
      a: once(patching({ id: "a", environments: two, patch: sameStickiness })),
      b: once(patching({ id: "b", environments: two, patch: sameStickiness })),
    },
    { state: stateWith({ dev: seededVariants, prod: settled }) },
  ),
  scenario("if-match and a patch meanwhile", one, {
    a: ifUnchanged({ id: "a", environments: one, isOfOne: true }),
    b: plain("b", one),
  }),
  scenario("two with if-match and a key", one, {
    a: ifUnchanged({ id: "a", environments: one, isKeyed: true }),
    b: ifUnchanged({ id: "b", environments: one, isKeyed: true }),
  }),
  scenario("without the permission in one environment", two, {
    a: once(patching({ id: "a", environments: two, key: limitedKey })),
    b: plain("b", two),
  }),
  scenario("tags", one, {
    a: once(tagging("a", ["left", "right"], [])),
    b: once(tagging("b", ["up"], ["left"])),
    c: keyed("c", one),
  }),
  scenario(
    "two take turns behind a caller that is gone",
    one,
    { a: plain("a", one), b: plain("b", one) },
    { lastTicket: 1 },
  ),
  scenario(
    "two take turns in two environments",
    two,
    { a: plain("a", two), b: plain("b", two) },
    { lastTicket: 1 },
  ),
  scenario(
    "three take turns",
    one,
    { a: plain("a", one), b: plain("b", one), c: plain("c", one) },
    { lastTicket: 1, faults: ["answer-lost", "overtaken", "killed"] },
  ),
  scenario(
    "a turn is given up as the patch becomes invalid",
    one,
    { a: removing("a"), b: removing("b") },
    { lastTicket: 1, state: stateWith({ dev: [first, second] }) },
  ),
  ...operatorScenarios,
];
