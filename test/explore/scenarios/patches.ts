/** Scenarios of patches of variants: concurrent, in several environments, with idempotency keys and with If-Match. */
import type { Variant } from "../../../lib/contract/variants.ts";
import { limitedKey, patching } from "./requests.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { again, idempotent, ifUnchanged, once, plain, sequence } from "./scripts.ts";
import { seededVariants, stateWith } from "./seed.ts";

const one = ["dev"];
const two = ["dev", "prod"];

const sameStickiness = [{ op: "replace" as const, path: "/0/stickiness", value: "userId" }];
const settled = seededVariants.map((variant) => ({ ...variant, stickiness: "userId" }));

const [first, second] = seededVariants.flatMap((variant) => [
  { ...variant, weight: 500 },
  { ...variant, name: "b", weight: 500 },
]) as [Variant, Variant];
const removeSecond = [{ op: "remove" as const, path: "/1" }];
const removing = (id: string) =>
  once(patching({ id, environments: one, patch: removeSecond, isExhaustible: true }));

export const patchScenarios: readonly Scenario[] = [
  scenario("two patches of one environment", one, { a: plain("a", one), b: plain("b", one) }),
  scenario(
    "two patches of two environments with idempotency keys",
    two,
    { a: idempotent("a", two), b: idempotent("b", two) },
    { mostFaults: 1, isLong: true, succeed: ["a", "b"] },
  ),
  scenario(
    "two attempts of one request at once",
    one,
    {
      a: idempotent("a", one),
      "a again": again(patching({ id: "a", environments: one, isIdempotent: true })),
    },
    { isLong: true },
  ),
  scenario(
    "two attempts of one request at once in two environments, and a patch of one",
    two,
    {
      a: idempotent("a", two),
      "a again": again(patching({ id: "a", environments: two, isIdempotent: true })),
      b: once(patching({ id: "b", environments: ["prod"], isOfOne: true })),
    },
    { mostFaults: 1, isLong: true },
  ),
  scenario(
    "a request with an idempotency key, and more changes than an environment has the ids of",
    one,
    {
      a: idempotent("a", one),
      b: sequence(idempotent("b1", one), idempotent("b2", one)),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "a change that later ones push out of the newest",
    one,
    {
      a: plain("a", one),
      b: sequence(plain("b1", one), plain("b2", one), plain("b3", one)),
    },
    { mostFaults: 1, isLong: true },
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
  scenario(
    "a patch with if-match and a concurrent patch",
    one,
    {
      a: ifUnchanged({ id: "a", environments: one, isOfOne: true }),
      b: plain("b", one),
    },
    { isLong: true },
  ),
  scenario(
    "two patches with if-match and idempotency keys",
    one,
    {
      a: ifUnchanged({ id: "a", environments: one, isIdempotent: true }),
      b: ifUnchanged({ id: "b", environments: one, isIdempotent: true }),
    },
    { isLong: true },
  ),
  scenario("a patch of two environments with if-match and an idempotency key", two, {
    a: ifUnchanged({ id: "a", environments: two, isIdempotent: true }),
  }),
  scenario("without the permission in one environment", two, {
    a: once(patching({ id: "a", environments: two, key: limitedKey })),
    b: plain("b", two),
  }),
  scenario(
    "two patches of two environments",
    two,
    { a: plain("a", two), b: plain("b", two) },
    { mostFaults: 1 },
  ),
  scenario(
    "three patches of one environment",
    one,
    { a: plain("a", one), b: plain("b", one), c: plain("c", one) },
    { mostFaults: 0 },
  ),
  scenario(
    "after a conflict the patch has become invalid",
    one,
    { a: removing("a"), b: removing("b") },
    { mostFaults: 1, state: stateWith({ dev: [first, second] }) },
  ),
];
