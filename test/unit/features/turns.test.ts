/** The turn of one request, call by call, on a store that replays what other requests did. A call takes 10 ms. */
import { describe, expect, it } from "vitest";
import { ConflictError } from "../../../lib/contract/errors.ts";
import type { EnvironmentState } from "../../../lib/features/feature.ts";
import { createTurns } from "../../../lib/features/turns.ts";
import { environmentState } from "../../support/seed.ts";

const idempotency = { key: "key", change: "change" };

interface Script {
  /** What the reads return, one after the other, the last again and again: how many are served, or `deleted`. */
  served?: readonly (number | "deleted")[];
  /** The tickets, one after the other; undefined for a call that fails. */
  tickets?: readonly (number | undefined)[];
  remainingMs?: number;
  callMs?: number | undefined;
}

const stateOf = (rest: Partial<EnvironmentState>) =>
  environmentState({ environment: "a", lastTicket: rest.served ?? 0, ...rest });

/** `calls` lists each call of a turn with the milliseconds at which it began. */
function replay({ served = [0], tickets = [], remainingMs = 10_000, callMs = 10 }: Script) {
  let now = 0;
  let isInCall = false;
  const calls: string[] = [];
  const remaining = { reads: [...served], tickets: [...tickets] };
  const call = async <Result>(what: string, result: Result): Promise<Result> => {
    calls.push(`${now} ${what}`);
    isInCall = true;
    await Promise.resolve();
    isInCall = false;
    now += callMs;
    return result;
  };
  const turnIn = createTurns({
    target: { project: "p", feature: "f" },
    idempotency,
    clock: {
      now: () => now,
      remainingMs: () => remainingMs - now,
      async sleep(ms) {
        // During a call, it is the limit of the call, which is never reached.
        if (isInCall) return new Promise(() => {});
        expect(ms).toBeGreaterThan(0);
        now += ms;
      },
    },
    store: {
      async readEnvironment({ environment }, { withQueue, ...options }) {
        expect(options).toEqual({ idempotency });
        const next = (remaining.reads.length > 1 ? remaining.reads.shift() : remaining.reads[0]) ?? 0;
        const state = next === "deleted" ? undefined : stateOf({ environment, served: next });
        return call(`read ${environment}${withQueue ? " with its queue" : ""}`, state);
      },
      async takeTicket({ environment }, from) {
        const ticket = await call(`ticket of ${environment} after ${from}`, remaining.tickets.shift());
        if (ticket === undefined) throw new Error("the table is not there");
        return ticket;
      },
      giveUpTurn: ({ environment }, ticket) => call(`give up ${ticket} of ${environment}`, undefined),
    },
  });
  return { calls, turnIn };
}

describe("a request without contention", () => {
  it("makes no call for its turn", async () => {
    const { calls, turnIn } = replay({});
    const state = stateOf({ served: 7 });
    const turn = turnIn(state);

    expect(await turn.begin()).toBe(state);
    await turn.giveUp();

    expect(turn.ticket).toBeUndefined();
    expect(calls).toEqual([]);
  });
});

describe("a request under contention", () => {
  it("retries at once after its first conflict, and takes a ticket after the second", async () => {
    const { calls, turnIn } = replay({ served: [0], tickets: [1] });
    const turn = turnIn(stateOf({}));
    const [first, second] = [stateOf({}), stateOf({})];

    expect(await turn.retry(first)).toBe(first);
    expect(calls).toEqual([]);
    await turn.retry(second);

    expect(turn.ticket).toBe(1);
    expect(calls).toEqual(["0 ticket of a after 0", "10 read a"]);
  });

  it("takes a ticket after the first, if a write with a ticket came first", async () => {
    const { calls, turnIn } = replay({ served: [4], tickets: [6] });

    await turnIn(stateOf({ served: 3 })).retry(stateOf({ served: 4 }));

    expect(calls).toEqual(["0 ticket of a after 4", "10 read a"]);
  });

  it("with a ticket retries at once, as the conflict shows the latest state", async () => {
    const { calls, turnIn } = replay({ served: [1], tickets: [2] });
    const turn = turnIn(stateOf({ lastTicket: 1 }));
    await turn.begin();
    const latest = stateOf({ served: 1 });

    for (let conflicts = 0; conflicts < 5; conflicts++) expect(await turn.retry(latest)).toBe(latest);
    expect(calls).toHaveLength(2);
  });
});

describe("a request that sees a queue", () => {
  it("sleeps a call's time for each ticket ahead, and reads again until it is among the next two", async () => {
    const { calls, turnIn } = replay({ served: [6, 9], tickets: [11] });
    const turn = turnIn(stateOf({ served: 1, lastTicket: 10 }));

    expect(await turn.begin()).toMatchObject({ served: 9 });

    expect(turn.ticket).toBe(11);
    expect(calls).toEqual(["0 ticket of a after 1", "90 read a", "130 read a"]);
  });

  it("sleeps 300 ms at most, as one slow call tells little about the others' turns", async () => {
    const { calls, turnIn } = replay({ served: [50, 98], tickets: [100] });

    await turnIn(stateOf({ lastTicket: 99 })).begin();

    expect(calls).toEqual(["0 ticket of a after 0", "310 read a", "620 read a"]);
  });

  it("reads at intervals that grow to 50 ms while it does not move, from the fourth read on also which turns were given up", async () => {
    const { calls, turnIn } = replay({ served: [1, 1, 1, 1, 1, 2], tickets: [4] });

    await turnIn(stateOf({ served: 1, lastTicket: 3 })).begin();

    const queue = "read a with its queue";
    expect(calls).toEqual([
      "0 ticket of a after 1",
      "20 read a",
      "40 read a",
      "70 read a",
      `120 ${queue}`,
      `180 ${queue}`,
      `240 ${queue}`,
    ]);
  });

  it("passes over one ticket of a queue that stands for 300 ms, and twice as many every 60 ms", async () => {
    const lastCall = async (ahead: number, callMs?: number) => {
      const { calls, turnIn } = replay({ tickets: [ahead + 2], callMs });
      await turnIn(stateOf({ lastTicket: ahead + 1 })).begin();
      return Number.parseInt(calls.at(-1) ?? "", 10);
    };

    expect([await lastCall(1), await lastCall(2), await lastCall(100)]).toEqual([300, 370, 770]);
    // Six calls, if they are longer.
    expect(await lastCall(1, 100)).toBe(650);
  });

  it("ends its wait when the environment is deleted", async () => {
    const { turnIn } = replay({ served: ["deleted"], tickets: [3] });

    expect(await turnIn(stateOf({ lastTicket: 2 })).begin()).toBeUndefined();
  });

  it("is refused half a second before its deadline", async () => {
    const begin = (remainingMs: number) =>
      replay({ served: [9], tickets: [11], remainingMs })
        .turnIn(stateOf({ lastTicket: 10 }))
        .begin();

    // The ticket takes 10 ms, the sleep 90.
    await expect(begin(599)).rejects.toThrow(ConflictError);
    await expect(begin(600)).resolves.toMatchObject({ served: 9 });
  });
});

describe("in the next environment, a request that has waited", () => {
  const waited = async (script: Script) => {
    const replayed = replay({
      ...script,
      served: [0, ...(script.served ?? [])],
      tickets: [2, ...(script.tickets ?? [])],
    });
    await replayed.turnIn(stateOf({ lastTicket: 1 })).begin();
    replayed.calls.length = 0;
    return { ...replayed, turn: replayed.turnIn(stateOf({ environment: "b" })) };
  };

  it("reads first, as its state is out of date", async () => {
    const { calls, turn } = await waited({ served: [5] });

    expect(await turn.begin()).toMatchObject({ environment: "b", served: 5 });
    expect(calls).toEqual(["20 read b"]);
  });

  it("retries three conflicts at once, whichever request came first, before it takes a ticket", async () => {
    const { calls, turn } = await waited({ served: [5], tickets: [6] });
    const latest = stateOf({ environment: "b", served: 5 });

    for (let conflicts = 0; conflicts < 3; conflicts++) expect(await turn.retry(latest)).toBe(latest);
    expect(calls).toEqual([]);
    await turn.retry(latest);

    expect(calls).toEqual(["20 ticket of b after 5", "30 read b"]);
  });
});

describe("a request that ends without a write", () => {
  it("gives its turn up when it has come", async () => {
    const { calls, turnIn } = replay({ served: [1], tickets: [3] });
    const turn = turnIn(stateOf({ lastTicket: 2 }));
    await turn.begin();
    await turn.giveUp();

    expect(calls.at(-1)).toBe("30 give up 3 of a");
  });

  it("does not give it up before, as those ahead would count as served", async () => {
    const { calls, turnIn } = replay({ served: [0], tickets: [50], remainingMs: 700 });
    const turn = turnIn(stateOf({ lastTicket: 49 }));
    await expect(turn.begin()).rejects.toThrow(ConflictError);
    await turn.giveUp();

    expect(turn.ticket).toBe(50);
    expect(calls.filter((call) => call.includes("give up"))).toEqual([]);
  });
});

it("a request that gets no ticket continues without one, here and in the next environment", async () => {
  const { calls, turnIn } = replay({ tickets: [undefined] });
  const seen = stateOf({ lastTicket: 9 });
  const next = stateOf({ environment: "b", lastTicket: 9 });

  expect(await turnIn(seen).begin()).toBe(seen);
  expect(await turnIn(next).begin()).toBe(next);

  expect(calls).toEqual(["0 ticket of a after 0"]);
});
