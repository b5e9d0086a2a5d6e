/** The scenarios: the callers, their requests and the faults that may strike. */
import type { Variant } from "../../lib/contract/variants.ts";
import { environmentKey } from "../../lib/store/items.ts";
import { operatorScenarios } from "./operator-scenarios.ts";
import {
  feature,
  idempotent,
  ifUnchanged,
  limitedKey,
  once,
  patching,
  plain,
  sequence,
  tagging,
  untilDone,
} from "./requests.ts";
import { queue, type Scenario, scenario } from "./scenario.ts";
import { seededVariants, stateWith } from "./seed.ts";
import { undoScenarios } from "./undo-scenarios.ts";

const one = ["dev"];
const two = ["dev", "prod"];

/** Idempotency records of dev have moved before. */
const environmentWithMovedRecords = { ...environmentKey(feature, "dev"), hasMovedRecords: true };

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
    "two patches, and a failed condition does not return the item",
    one,
    { a: plain("a", one), b: plain("b", one) },
    { showsOldItem: false },
  ),
  scenario(
    "two patches of two environments with idempotency keys",
    two,
    { a: idempotent("a", two), b: idempotent("b", two) },
    { mostFaults: 1, succeed: ["a", "b"] },
  ),
  scenario(
    "an idempotency record that later writes push out of the list",
    one,
    {
      a: idempotent("a", one),
      b: sequence(idempotent("b1", one), idempotent("b2", one)),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "an idempotency record that moves while a retry reads it",
    one,
    {
      a: idempotent("a", one),
      b: untilDone({ ...patching({ id: "a", environments: one, isIdempotent: true }), name: "b" }),
      c: sequence(idempotent("c1", one), idempotent("c2", one)),
    },
    { mostFaults: 0, stored: [environmentWithMovedRecords] },
  ),
  scenario(
    "a write id that later writes push out of the list",
    one,
    {
      a: plain("a", one),
      b: sequence(plain("b1", one), plain("b2", one), plain("b3", one)),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "patches that leave an environment unchanged",
    two,
    {
      a: once(patching({ id: "a", environments: two, patch: sameStickiness })),
      b: once(patching({ id: "b", environments: two, patch: sameStickiness })),
    },
    { state: stateWith({ dev: seededVariants, prod: settled }) },
  ),
  scenario("a patch with if-match and a concurrent patch", one, {
    a: ifUnchanged({ id: "a", environments: one, isOfOne: true }),
    b: plain("b", one),
  }),
  scenario("two patches with if-match and idempotency keys", one, {
    a: ifUnchanged({ id: "a", environments: one, isIdempotent: true }),
    b: ifUnchanged({ id: "b", environments: one, isIdempotent: true }),
  }),
  scenario("without the permission in one environment", two, {
    a: once(patching({ id: "a", environments: two, key: limitedKey })),
    b: plain("b", two),
  }),
  scenario("tags", one, {
    a: once(tagging("a", ["left", "right"], [])),
    b: once(tagging("b", ["up"], ["left"])),
    c: idempotent("c", one),
  }),
  scenario("a tag is added by one caller, and removed and added by another", one, {
    a: once(tagging("a", ["left"], [])),
    b: sequence(once(tagging("b1", [], ["left"])), once(tagging("b2", ["left"], []))),
  }),
  scenario(
    "two callers take turns after one that was killed",
    one,
    { a: plain("a", one), b: plain("b", one) },
    { mostFaults: 1, stored: [queue] },
  ),
  scenario(
    "two callers take turns in two environments",
    two,
    { a: plain("a", two), b: plain("b", two) },
    { mostFaults: 1, stored: [queue] },
  ),
  scenario(
    "three callers take turns",
    one,
    { a: plain("a", one), b: plain("b", one), c: plain("c", one) },
    { mostFaults: 0, stored: [queue] },
  ),
  scenario(
    "a turn is given up because the patch has become invalid",
    one,
    { a: removing("a"), b: removing("b") },
    { mostFaults: 1, stored: [queue], state: stateWith({ dev: [first, second] }) },
  ),
  ...undoScenarios,
  ...operatorScenarios,
];
