/**
 * Orders concurrent requests that write the same environment, roughly by arrival. A request that waits takes a numbered
 * ticket; the environment's `served` is the highest one whose turn is over.
 *
 *   no visible queue ----> write --(conflict)--> take a ticket
 *   a visible queue ---------------------------> take a ticket
 *   ticket --> sleep in proportion to those ahead --> read --(turn has not come)--> sleep again
 *                                                      '----(turn has come)-----> write, which records the ticket as
 *                                                                                 served --(conflict)--> retry at once
 *
 * Tickets are advisory: a lost, duplicate or stale one costs a wait. The write's condition prevents lost updates.
 */
import { ConflictError } from "../contract/errors.ts";
import type { EnvironmentState, IdempotentRequest, Target } from "./feature.ts";
import type { VariantStore } from "./stores.ts";

export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Until the invocation's deadline. */
  remainingMs(): number;
}

export interface Turn {
  /** The latest state; undefined if the environment no longer exists. */
  current: EnvironmentState | undefined;
  /** For the write to record as served, or for `giveUp`. */
  ticket?: number;
}

export type Turns = ReturnType<typeof createTurns>;

interface Options {
  store: Pick<VariantStore, "readEnvironment" | "takeTicket" | "giveUpTurn">;
  clock: Clock;
  target: Target;
  idempotency: IdempotentRequest | undefined;
}

/** Reserved for the response; more than the session's own, so that a turn can still be given up. */
const marginMs = 500;
/** The time between two turns is about that of a call, and at least this. */
const msPerTicket = 8;
/** Two tickets have their turn at the same time: the loser's conflict includes the fresh state, which saves a read. */
const writersAtOnce = 2;
/** A queue that has not moved for this long, and for the time of this many calls, is abandoned: each that waits writes. */
const stalledAfterMs = 400;
const stalledAfterCalls = 6;
/** Limits the time of a call that only concerns tickets. */
const longestAdviceMs = 1000;

/** Makes the turns of one request, which writes its environments one after the other. */
export function createTurns({ store, clock, target, idempotency }: Options) {
  /** After its first queue it waits in no other: the requests it waited with reach the next environments in the same order. */
  let hasQueued = false;

  const placeOf = ({ environment }: { environment: string }) => ({ ...target, environment });

  function requireTime(ms: number): void {
    if (clock.remainingMs() - ms < marginMs) {
      throw new ConflictError("Gave up waiting for other requests that write here; nothing was written");
    }
  }

  /** Undefined if the call fails or takes too long. */
  function advised<Result>(call: Promise<Result>): Promise<Result | undefined> {
    const late = clock.sleep(longestAdviceMs).then(() => undefined);
    return Promise.race([call.catch(() => undefined), late]);
  }

  async function waitFrom(latest: EnvironmentState): Promise<Turn> {
    hasQueued = true;
    const place = placeOf(latest);
    let calledAt = clock.now();
    const ticket = await advised(store.takeTicket(place, latest.served));
    if (ticket === undefined) return { current: latest };
    let { served } = latest;
    let movedAt = clock.now();
    // Then the queue is read too: it shows turns that were given up.
    let isStill = false;
    for (;;) {
      const callMs = clock.now() - calledAt;
      const stalledMs = Math.max(stalledAfterMs, stalledAfterCalls * callMs);
      const ahead = Math.max(0, ticket - writersAtOnce - served);
      const ms = Math.min(stalledMs / 2, ahead * Math.max(msPerTicket, callMs));
      requireTime(ms);
      if (ms > 0) await clock.sleep(ms);
      calledAt = clock.now();
      const current = await store.readEnvironment(place, { idempotency, withQueue: isStill });
      if (!current) return { current };
      isStill = current.served <= served;
      if (!isStill) {
        served = current.served;
        movedAt = clock.now();
      }
      const hasCome = ticket - writersAtOnce <= served;
      if (hasCome || clock.now() - movedAt > stalledMs) return { current, ticket };
    }
  }

  return {
    /** Before the first write. Waits if a queue is visible. */
    async begin(state: EnvironmentState): Promise<Turn> {
      if (hasQueued) return { current: await store.readEnvironment(placeOf(state), { idempotency }) };
      return state.lastTicket > state.served ? waitFrom(state) : { current: state };
    },
    /** After a write conflict, with the state that it returned. */
    async retry(turn: Turn, current: EnvironmentState): Promise<Turn> {
      requireTime(0);
      return hasQueued ? { ...turn, current } : waitFrom(current);
    },
    /** Ends a turn without a write. */
    async giveUp({ current, ticket }: Turn): Promise<void> {
      if (current && ticket !== undefined) await advised(store.giveUpTurn(placeOf(current), ticket));
    },
  };
}
