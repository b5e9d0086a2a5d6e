/** Scenarios of undone changes. */
import { limits } from "../../lib/contract/limits.ts";
import { idempotent, once, patching, plain, sequence, thenUndo, undoing, undoNewest } from "./requests.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { seededVariants, stateWith } from "./seed.ts";
import type { Fault } from "./world/world.ts";

const one = ["dev"];
const two = ["dev", "prod"];
const inProd = (id: string) => once(patching({ id, environments: ["prod"], isOfOne: true }));
/** Its patch fails in prod, which has no variant. */
const half = stateWith({ dev: seededVariants, prod: [] });
const unclear: readonly Fault[] = ["response-lost", "overtaken", "killed"];

export const undoScenarios: readonly Scenario[] = [
  scenario(
    "an undo and a concurrent patch",
    one,
    {
      a: thenUndo(patching({ id: "a", environments: one }), one),
      b: plain("b", one),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "an undo in two environments and a concurrent patch of one",
    two,
    { a: thenUndo(patching({ id: "a", environments: two }), two), b: inProd("b") },
    { mostFaults: 1, faults: unclear },
  ),
  scenario("two undos of one change", one, {
    a: thenUndo(patching({ id: "a", environments: one }), one),
    b: undoNewest("b", "a", one),
  }),
  scenario(
    "an undo of half a patch and a concurrent patch",
    two,
    {
      a: thenUndo(patching({ id: "a", environments: two, isExhaustible: true }), two),
      b: once(patching({ id: "b", environments: one, isOfOne: true })),
    },
    { mostFaults: 1, state: half, faults: unclear },
  ),
  scenario("an undo and a retry of what it undoes", one, {
    a: sequence(idempotent("a", one), once(patching({ id: "a", environments: one, isIdempotent: true }))),
    b: undoNewest("b", "a", one),
  }),
  scenario(
    "an undo that later changes push out of the list",
    one,
    {
      a: sequence(
        thenUndo(patching({ id: "a", environments: one, isIdempotent: true }), one),
        plain("c1", one),
        plain("c2", one),
        plain("c3", one),
        once(patching({ id: "a", environments: one, isIdempotent: true })),
      ),
      b: plain("b", one),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "an undo of a change that one environment has dropped",
    two,
    {
      a: thenUndo(patching({ id: "a", environments: two }), two),
      b: sequence(...["b1", "b2"].map(inProd)),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "an undo of a change of overlapping attempts that one environment has dropped",
    two,
    {
      a: async (hands) => {
        const wish = patching({ id: "a", environments: two, isIdempotent: true });
        await hands.send(wish);
        const { headers, status } = await hands.send(wish);
        if (status !== 200) return;
        // A change with an idempotency key is dropped no sooner.
        hands.wait((limits.idempotencyHours + 1) * 3_600_000);
        const inDev = (id: string) => once(patching({ id, environments: one, isOfOne: true }));
        await sequence(inDev("b1"), inDev("b2"))(hands);
        const change = headers["burgee-change"] ?? "";
        await hands.send(undoing("undone", { wish: "a", change }, two));
        // Refused too, as prod keeps the change.
        await hands.send(wish);
      },
    },
    // After the deadline, the client retries while a write of the first attempt is still on its way.
    { mostFaults: 1, faults: ["deadline"] },
  ),
  scenario("an undo of a change after which one environment was changed", two, {
    a: async (hands) => {
      const wish = patching({ id: "a", environments: two });
      const { headers, status } = await hands.send(wish);
      if (status !== 200) return;
      const { status: later } = await hands.send(
        patching({ id: "b", environments: ["prod"], isOfOne: true }),
      );
      const change = headers["burgee-change"] ?? "";
      const undo = undoing("undone", { wish: "a", change }, two, { isRefused: later === 200 });
      await hands.send(undo);
    },
  }),
];
