/** Requests, while an operator changes what they are about. */
import { hashKey } from "../../lib/access/authenticate.ts";
import { applying, makingAgain, moving, revoking, rotating } from "./operators.ts";
import {
  adminKey,
  keyed,
  keyedInOne,
  limitedKey,
  once,
  patching,
  rotatedKey,
  tagging,
  thenUntilDone,
} from "./requests.ts";
import { type Scenario, scenario } from "./scenario.ts";
import type { Fault } from "./world/world.ts";

const one = ["dev"];
const two = ["dev", "prod"];
/** By which a writer cannot tell what became of its write. */
const unclear: readonly Fault[] = ["answer-lost", "overtaken", "killed"];

export const operatorScenarios: readonly Scenario[] = [
  scenario(
    "tags of a feature that is moved",
    one,
    {
      a: once(tagging("a", ["left"], [], limitedKey)),
      operator: moving("other"),
    },
    { isTorn: true },
  ),
  scenario(
    "a key is rotated between two attempts",
    one,
    {
      a: thenUntilDone(
        patching({ id: "a", environments: one, isKeyed: true }),
        patching({ id: "a", environments: one, isKeyed: true, key: rotatedKey }),
      ),
      operator: rotating("admin", adminKey, rotatedKey),
    },
    { changesKeys: true },
  ),
  scenario(
    "a key is revoked",
    one,
    {
      a: async (hands) => {
        const wish = (id: string) => ({ ...patching({ id, environments: one }), keyHash: hashKey(adminKey) });
        await hands.send(wish("a1"));
        hands.wait(30_001);
        await hands.send(wish("a2"));
      },
      operator: revoking(adminKey),
    },
    { changesKeys: true },
  ),
  scenario(
    "a feature is made again",
    two,
    { a: keyed("a", two), operator: makingAgain(two) },
    { isTorn: true },
  ),
  scenario(
    "a feature is made again while a caller waits for its turn",
    one,
    {
      a: keyedInOne("a", "dev"),
      operator: makingAgain(one),
    },
    { isTorn: true, lastTicket: 1 },
  ),
  scenario("a feature is moved", two, { a: keyed("a", two), operator: moving("other") }, { isTorn: true }),
  scenario(
    "a feature is moved, and one environment is patched",
    one,
    {
      a: keyedInOne("a", "dev"),
      operator: moving("other"),
    },
    { isTorn: true },
  ),
  scenario(
    "an operator applies a state",
    two,
    { a: keyed("a", two), operator: applying(two) },
    { faults: unclear, isTorn: true },
  ),
];
