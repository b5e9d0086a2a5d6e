/** Scenarios of changes under a guard, of its trips, and of a limit for who moves. */
import { patching, switching, tripping } from "./requests.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { once, plain, sequence, untilDone } from "./scripts.ts";

const one = ["dev"];
const two = ["dev", "prod"];
const guarded = (id: string, guard = "g") => once(patching({ id, environments: one, guard }));
const trip = (id: string) => once(tripping(id, "g", one));
const on = (id: string) => once(switching({ id, to: "on", environments: one }));

const attemptUnder = (guard: string) =>
  untilDone({
    ...patching({ id: "a", environments: two, isIdempotent: true, guard }),
    name: `a under ${guard}`,
  });

export const guardScenarios: readonly Scenario[] = [
  scenario(
    "a trip beside the patch that it undoes",
    one,
    { a: guarded("a"), b: trip("b") },
    { mostFaults: 1 },
  ),
  scenario(
    "two trips of two changes",
    one,
    { a: sequence(guarded("a1"), guarded("a2"), trip("a3")), b: trip("b") },
    { mostFaults: 1 },
  ),
  scenario(
    "a trip and a concurrent patch without a guard",
    one,
    { a: sequence(guarded("a1"), trip("a2")), b: plain("b", one) },
    { mostFaults: 1 },
  ),
  scenario(
    "a trip, and a later change under another guard",
    one,
    { a: sequence(guarded("a1"), guarded("a2", "h"), trip("a3")), b: trip("b") },
    { mostFaults: 1 },
  ),
  scenario(
    "a trip at the end of the time",
    one,
    {
      a: async (driver) => {
        await guarded("a1", "g; for=1m")(driver);
        driver.wait(60_000);
        await driver.send({ ...tripping("a2", "g", one), isTooLate: true });
      },
      b: trip("b"),
    },
    { mostFaults: 1 },
  ),
  scenario(
    "a patch that may move no user, and a concurrent switch",
    one,
    { a: once(patching({ id: "a", environments: one, mostMoves: "0" })), b: on("b") },
    { mostFaults: 1 },
  ),
  scenario(
    "two attempts of one request at once, each with a guard of its own",
    two,
    { a: attemptUnder("g"), "a again": attemptUnder("h") },
    { mostFaults: 1 },
  ),
];
