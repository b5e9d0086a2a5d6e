/** Callers on one feature take turns: simulated in virtual time, with calls of 5 ± 3 ms. */
import { describe, expect, it } from "vitest";
import { type Outcome, simulate } from "../../support/simulate.ts";

/** Enough for a thousand patches of ten callers. */
const seconds = 20;
const allPatched = ({ statuses }: Outcome) => expect(Object.keys(statuses)).toEqual(["200"]);

describe.each([1, 2])("callers that patch one feature of %i environments in closed loops", (environments) => {
  it.each([
    { callers: 1, p99: 24, calls: 1.01 + environments },
    { callers: 2, p99: 60, calls: 6 },
    { callers: 3, p99: 100, calls: 7 },
    { callers: 10, p99: 200, calls: 9 },
    { callers: 50, p99: 1000, calls: 10.5 },
  ])("$callers callers: p99 at most $p99 ms, $calls calls a success, none is refused", async (most) => {
    const outcome = await simulate({ callers: most.callers, environments, seconds });

    allPatched(outcome);
    expect(outcome.lost).toBe(0);
    expect(outcome.p99).toBeLessThan(most.p99);
    expect(outcome.callsPerSuccess).toBeLessThanOrEqual(most.calls);
  });

  it("50 callers, an item that takes 500 write units a second: none is refused", async () => {
    const outcome = await simulate({ callers: 50, environments, itemLimit: 500, seconds });

    allPatched(outcome);
    expect(outcome.p99).toBeLessThan(4000);
  });
});

describe("a ticket that misleads costs a wait, and never a write", () => {
  it.each([
    ["callers die with a ticket", { deaths: 0.01 }, 500],
    ["a lost response makes the SDK take a second ticket", { doubledTickets: 0.05 }, 500],
    ["the queue is lost", { lostQueues: 0.01 }, 500],
    ["patches turn out invalid and give up their turn", { invalid: 0.2 }, 400],
    ["some patch one environment alone and do not see the queue", { ofOneEnvironment: 5 }, 300],
    ["some send an ETag in If-Match and do not wait", { withPrecondition: 2 }, 300],
    ["a feature has six environments", { environments: 6 }, 300],
  ])("when %s, the others go on", async (_, oddity, p99) => {
    const { statuses, lost, ...outcome } = await simulate({ callers: 10, seconds, ...oddity });

    expect(statuses["200"]).toBeGreaterThan(1000);
    expect(lost).toBe(0);
    expect(Math.max(outcome.p99, outcome.p99OfOne)).toBeLessThan(p99);
  });

  it("a thousand stale tickets cost the first callers a second or two, and later ones nothing", async () => {
    const outcome = await simulate({ callers: 10, staleTickets: 1000, seconds });

    allPatched(outcome);
    expect(outcome.longest).toBeLessThan(3000);
    expect(outcome.p99).toBeLessThan(300);
  });

  it("a caller with an ETag in If-Match never takes a ticket: it is patched, or refused at once", async () => {
    const { statuses } = await simulate({ callers: 10, withPrecondition: 10, seconds: 10 });

    expect(statuses["200"]).toBeGreaterThan(100);
    expect(Object.keys(statuses).sort()).toEqual(["200", "409", "412"]);
  });
});

it("a request answers 409 before its time is up, when its turn does not come", async () => {
  const outcome = await simulate({ callers: 50, callMs: [150, 100], seconds: 60 });

  expect(outcome.statuses["409"]).toBeGreaterThan(0);
  expect(outcome.longestRefusal).toBeLessThan(10_000);
  expect(outcome.lost).toBe(0);
});
