/** Scenarios of undone changes. */
import { limits } from "../../../lib/contract/limits.ts";
import { patching, undoing } from "./requests.ts";
import { type Scenario, scenario, unclear } from "./scenario.ts";
import { idempotent, once, plain, sequence, thenUndo, undoNewest } from "./scripts.ts";
import { seededVariants, stateWith } from "./seed.ts";

const one = ["dev"];
const two = ["dev", "prod"];
const inProd = (id: string) => once(patching({ id, environments: ["prod"], isOfOne: true }));
/** Its patch fails in prod, which has no variant. */
const half = stateWith({ dev: seededVariants, prod: [] });

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
  scenario(
    "an undo in two environments, and changes that are dropped one after the other",
    two,
    {
      a: sequence(thenUndo(patching({ id: "a", environments: two }), two), plain("c", two)),
      b: inProd("b"),
    },
    { mostFaults: 1, isLong: true, isTorn: true, faults: unclear },
  ),
  scenario(
    "an undo with an idempotency key and a concurrent patch",
    one,
    {
      a: thenUndo(patching({ id: "a", environments: one }), one, true),
      b: plain("b", one),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "two attempts of one undo at once",
    one,
    {
      a: thenUndo(patching({ id: "a", environments: one }), one, true),
      b: undoNewest("a-undone", "a", one, { isIdempotent: true, name: "a-undone again" }),
    },
    { isLong: true },
  ),
  scenario(
    "two undos of one change",
    one,
    { a: thenUndo(patching({ id: "a", environments: one }), one), b: undoNewest("b", "a", one) },
    { isLong: true },
  ),
  scenario(
    "an undo of half a patch and a concurrent patch",
    two,
    {
      a: thenUndo(patching({ id: "a", environments: two, isExhaustible: true }), two),
      b: once(patching({ id: "b", environments: one, isOfOne: true })),
    },
    { mostFaults: 1, state: half, faults: unclear },
  ),
  scenario(
    "an undo and a retry of what it undoes",
    one,
    {
      a: sequence(idempotent("a", one), once(patching({ id: "a", environments: one, isIdempotent: true }))),
      b: undoNewest("b", "a", one),
    },
    { isLong: true },
  ),
  scenario(
    "an undo that later changes push out of the newest",
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
    { mostFaults: 1, isLong: true },
  ),
  scenario(
    "an undo, and retries of what it undoes after each of several changes",
    one,
    {
      a: sequence(
        plain("c1", one),
        thenUndo(patching({ id: "a", environments: one, isIdempotent: true }), one),
        ...["c2", "c3"].flatMap((id) => [
          plain(id, one),
          once(patching({ id: "a", environments: one, isIdempotent: true })),
        ]),
      ),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "an undo of a change that later ones push out of the newest in one environment",
    two,
    {
      a: thenUndo(patching({ id: "a", environments: two }), two),
      b: sequence(...["b1", "b2"].map(inProd)),
    },
    { mostFaults: 1, isLong: true },
  ),
  scenario(
    "an undo of a change of overlapping attempts, which expires in one environment first",
    two,
    {
      a: async (driver) => {
        const intent = patching({ id: "a", environments: two, isIdempotent: true });
        await driver.send(intent);
        const { headers, status } = await driver.send(intent);
        if (status !== 200) return;
        // Then the change is not the last one of prod, which would carry it for good.
        await thenUndo(patching({ id: "b", environments: ["prod"], isOfOne: true }), ["prod"])(driver);
        // From the time of the second attempt to that at which the change of the first expires, and a little more.
        driver.wait((limits.keptDays - 1) * 24 * 3_600_000 - 5_000);
        await driver.send(undoing("undone", { intent: "a", change: headers["burgee-change"] ?? "" }, two));
      },
    },
    // After the deadline, the client retries while a write of the first attempt is still on its way.
    { mostFaults: 1, faults: ["deadline"] },
  ),
  scenario("an undo of a change after which one environment was changed", two, {
    a: async (driver) => {
      const intent = patching({ id: "a", environments: two });
      const { headers, status } = await driver.send(intent);
      if (status !== 200) return;
      const { status: later } = await driver.send(
        patching({ id: "b", environments: ["prod"], isOfOne: true }),
      );
      const change = headers["burgee-change"] ?? "";
      const undo = undoing("undone", { intent: "a", change }, two, { isRefused: later === 200 });
      await driver.send(undo);
    },
  }),
];
