/** Scenarios of requests while an operator changes the feature or the API key. */
import { hashKey } from "../../../lib/access/authenticate.ts";
import { applying, makingAgain, revoking, rotating } from "./operator-scripts.ts";
import { adminKey, limitedKey, patching, rotatedKey, tagging } from "./requests.ts";
import { type Scenario, scenario, unclear } from "./scenario.ts";
import { idempotent, idempotentInOne, once, plain, thenUntilDone } from "./scripts.ts";
import { variantsWithTrace } from "./seed.ts";

const one = ["dev"];
const two = ["dev", "prod"];

export const operatorScenarios: readonly Scenario[] = [
  scenario(
    "a key is rotated between two attempts",
    one,
    {
      a: thenUntilDone(
        patching({ id: "a", environments: one, isIdempotent: true }),
        patching({ id: "a", environments: one, isIdempotent: true, key: rotatedKey }),
      ),
      operator: rotating("admin", adminKey, rotatedKey),
    },
    { isLong: true },
  ),
  scenario("a key is revoked", one, {
    a: async (driver) => {
      const intent = (id: string) => ({ ...patching({ id, environments: one }), keyHash: hashKey(adminKey) });
      await driver.send(intent("a1"));
      driver.wait(30_001);
      await driver.send(intent("a2"));
    },
    operator: revoking(adminKey),
  }),
  scenario(
    "a feature is deleted and created again",
    two,
    { a: idempotent("a", two), operator: makingAgain(two) },
    { mostFaults: 1, isTorn: true, dropsNone: true, isLong: true },
  ),
  scenario(
    "a feature is created again while a caller pauses",
    one,
    {
      a: plain("a", one),
      b: idempotentInOne("b", "dev"),
      operator: makingAgain(one),
    },
    { mostFaults: 1, isTorn: true, isLong: true },
  ),
  scenario(
    "a feature is created again, and one environment is patched",
    one,
    { a: idempotentInOne("a", "dev"), operator: makingAgain(one) },
    { mostFaults: 1, isTorn: true, dropsNone: true },
  ),
  scenario(
    "a feature is created again while a tag update is late",
    one,
    { a: once(tagging("a", ["left"], [])), operator: makingAgain(one) },
    { isTorn: true, isLong: true },
  ),
  scenario(
    "a feature is created again in another project, and one environment is patched",
    one,
    { a: idempotentInOne("a", "dev"), operator: makingAgain(one, "other") },
    { mostFaults: 1, isTorn: true, dropsNone: true },
  ),
  scenario(
    "tags of a feature that is created again in another project",
    one,
    { a: once(tagging("a", ["left"], [], { key: limitedKey })), operator: makingAgain(one, "other") },
    { isTorn: true, isLong: true },
  ),
  scenario(
    "tags, and an operator applies a state with others",
    one,
    {
      a: once(tagging("a", ["left"], [])),
      b: once(tagging("b", ["right"], [])),
      operator: applying(one),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "an operator applies a state",
    two,
    { a: idempotent("a", two), operator: applying(two) },
    { faults: unclear, isTorn: true, isLong: true },
  ),
  scenario(
    "an operator applies a state with other variants",
    one,
    { a: idempotentInOne("a", "dev"), operator: applying(one, "default", variantsWithTrace("applied")) },
    { faults: unclear, isTorn: true, isLong: true },
  ),
];
