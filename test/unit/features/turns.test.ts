/** The turns of one request, call by call, on a store that replays what other requests did. A call takes 10 ms. */
import { expect, it } from "vitest";
import { ConflictError } from "../../../lib/contract/errors.ts";
import type { EnvironmentState } from "../../../lib/features/feature.ts";
import { createTurns } from "../../../lib/features/turns.ts";
import { environmentState } from "../../support/seed.ts";

const idempotency = { key: "key", change: "change" };

interface Script {
  /** What the reads return, one after the other, the last again and again: how many are served. */
  served?: readonly number[];
  /** The ticket; undefined if it cannot be taken. */
  ticket?: number;
  remainingMs?: number;
  callMs?: number;
}

const stateOf = (rest: Partial<EnvironmentState>) =>
  environmentState({ environment: "a", lastTicket: rest.served ?? 0, ...rest });

/** `calls` lists each call with the milliseconds at which it began. */
function replay({ served = [0], ticket, remainingMs = 10_000, callMs = 10 }: Script) {
  let now = 0;
  let isInCall = false;
  const calls: string[] = [];
  const reads = [...served];
  const call = async <Result>(what: string, result: Result): Promise<Result> => {
    calls.push(`${now} ${what}`);
    isInCall = true;
    await Promise.resolve();
    isInCall = false;
    now += callMs;
    return result;
  };
  const turns = createTurns({
    target: { project: "p", feature: "f" },
    idempotency,
    clock: {
      now: () => now,
      remainingMs: () => remainingMs - now,
      async sleep(ms) {
        // During a call, it is the limit of the call, which is never reached.
        if (isInCall) return new Promise(() => {});
        now += ms;
      },
    },
    store: {
      async readEnvironment({ environment }, { withQueue, ...options }) {
        expect(options).toEqual({ idempotency });
        const next = (reads.length > 1 ? reads.shift() : reads[0]) ?? 0;
        return call(
          `read ${environment}${withQueue ? " with its queue" : ""}`,
          stateOf({ environment, served: next }),
        );
      },
      async takeTicket({ environment }, from) {
        const taken = await call(`ticket of ${environment} after ${from}`, ticket);
        if (taken === undefined) throw new Error("the table is not there");
        return taken;
      },
      giveUpTurn: ({ environment }, given) => call(`give up ${given} of ${environment}`, undefined),
    },
  });
  return { calls, turns };
}

it("a request without contention makes no call for its turn", async () => {
  const { calls, turns } = replay({});
  const state = stateOf({ served: 7 });

  const turn = await turns.begin(state);
  await turns.giveUp(turn);

  expect(turn).toEqual({ current: state });
  expect(calls).toEqual([]);
});

it("a request takes a ticket after a conflict, and with it retries at once", async () => {
  const { calls, turns } = replay({ served: [4], ticket: 6 });
  const latest = stateOf({ served: 5 });

  const turn = await turns.retry({ current: stateOf({}) }, stateOf({ served: 4 }));

  expect(turn).toMatchObject({ ticket: 6, current: { served: 4 } });
  expect(await turns.retry(turn, latest)).toEqual({ ticket: 6, current: latest });
  expect(calls).toEqual(["0 ticket of a after 4", "10 read a"]);
});

it("a request that sees a queue sleeps for each ticket ahead, until it is among the next two", async () => {
  const { calls, turns } = replay({ served: [6, 9], ticket: 11 });

  const turn = await turns.begin(stateOf({ served: 1, lastTicket: 10 }));

  expect(turn).toMatchObject({ ticket: 11, current: { served: 9 } });
  expect(calls).toEqual(["0 ticket of a after 1", "90 read a", "130 read a"]);
});

it("a request sleeps 200 ms at most, then reads the queue too, and writes once it has not moved for 400", async () => {
  const { calls, turns } = replay({ served: [0, 5], ticket: 100 });

  await turns.begin(stateOf({ lastTicket: 99 }));

  expect(calls).toEqual([
    "0 ticket of a after 0",
    "210 read a",
    "420 read a with its queue",
    "630 read a",
    "840 read a with its queue",
  ]);
});

it("where calls take 100 ms, a queue stands still for six of them before it is passed over", async () => {
  const { calls, turns } = replay({ ticket: 100, callMs: 100 });

  await turns.begin(stateOf({ lastTicket: 99 }));

  expect(calls).toEqual(["0 ticket of a after 0", "400 read a", "800 read a with its queue"]);
});

it("a request that gets no ticket continues without one, here and in the next environment", async () => {
  const { calls, turns } = replay({});
  const seen = stateOf({ lastTicket: 9 });

  const turn = await turns.begin(seen);
  expect(await turns.retry(turn, seen)).toEqual({ current: seen });
  await turns.begin(stateOf({ environment: "b", lastTicket: 9 }));

  expect(calls).toEqual(["0 ticket of a after 0", "10 read b"]);
});

it("a request that has waited reads the next environment, and retries there at once", async () => {
  const { calls, turns } = replay({ served: [1], ticket: 3 });
  await turns.begin(stateOf({ lastTicket: 2 }));

  const turn = await turns.begin(stateOf({ environment: "b", lastTicket: 9 }));
  const latest = stateOf({ environment: "b", served: 9 });
  await turns.retry(turn, latest);

  expect(calls.slice(2)).toEqual(["30 read b"]);
});

it("a request gives its turn up once it has come", async () => {
  const { calls, turns } = replay({ served: [1], ticket: 3 });

  await turns.giveUp(await turns.begin(stateOf({ lastTicket: 2 })));

  expect(calls.at(-1)).toBe("30 give up 3 of a");
});

it.each([
  [619, 1],
  [620, 2],
])(
  "a request with %i ms left makes %i calls, and is refused before it would sleep or write too late",
  async (remainingMs, count) => {
    const { calls, turns } = replay({ ticket: 13, remainingMs });

    await expect(turns.begin(stateOf({ lastTicket: 12 }))).rejects.toThrow(
      new ConflictError("Gave up waiting for other requests that write here; nothing was written"),
    );

    expect(calls).toHaveLength(count);
  },
);
