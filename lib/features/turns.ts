/**
 * Orders concurrent requests that write the same environment, roughly by arrival. A request that waits takes a numbered
 * ticket; the environment's `served` is the highest one whose turn is over.
 *
 *   no visible queue ----> write --(conflict)--> retry at once --(conflict)--> take a ticket
 *   a visible queue ----------------------------------------------------------> take a ticket
 *   ticket --> sleep in proportion to those ahead --> read --(turn has not come)--> sleep again
 *                                                      '----(turn has come)-----> write, which records the ticket as
 *                                                                                 served --(conflict)--> retry at once
 *
 * Tickets are advisory: a lost, duplicate or stale one costs a wait. The write's condition prevents lost updates.
 */
import { ConflictError } from "../contract/errors.ts";
import type { EnvironmentState, Target } from "./feature.ts";
import type { ReadOptions, VariantStore } from "./stores.ts";

export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Until the invocation's deadline. */
  remainingMs(): number;
}

export type Turn = ReturnType<ReturnType<typeof createTurns>>;

interface Options extends Pick<ReadOptions, "idempotency"> {
  store: Pick<VariantStore, "readEnvironment" | "takeTicket" | "giveUpTurn">;
  target: Target;
  clock: Clock;
}

/** Reserved for the response. */
const marginMs = 500;
/** Two requests that collide once need no queue. */
const retriesBeforeTicket = 1;
/** Requests that waited in one environment reach the next ones in order, so they retry more often before they take a ticket. */
const retriesInOrder = 3;
/** Two tickets have their turn at the same time: the loser's conflict includes the fresh state, which saves a read. */
const writersAtOnce = 2;
/** A queue that has not moved for this long, and for the time of this many calls, is blocked by a request that died or timed out. */
const stalledAfterMs = 300;
const stalledAfterCalls = 6;
/** Then one ticket is passed over, and twice as many after each interval: a thousand stale ones cost a second or two. */
const doublingMs = 60;
const longestPollMs = 50;
/** Limits the estimated sleep: the estimate may rest on one slow call, or on a stale queue. */
const longestSleepMs = 300;
/** Limits the wait for a call that only concerns tickets. */
const longestAdviceMs = 1000;

/** Makes the turns of one request, which patches its environments one after the other. */
export function createTurns({ store, target, idempotency, clock }: Options) {
  let hasWaited = false;
  /** False once a ticket could not be taken: from then on the request retries without one. */
  let canQueue = true;
  let callMs = 0;

  async function timed<Result>(call: Promise<Result>): Promise<Result> {
    const startedAt = clock.now();
    const result = await call;
    const ms = clock.now() - startedAt;
    callMs = callMs === 0 ? ms : 0.7 * callMs + 0.3 * ms;
    return result;
  }

  async function pause(ms: number): Promise<void> {
    if (clock.remainingMs() - ms < marginMs) {
      throw new ConflictError("Gave up waiting for other requests that write here; nothing was written");
    }
    if (ms > 0) await clock.sleep(ms);
  }

  /** Undefined if the call fails or takes too long. */
  function advised<Result>(call: Promise<Result>): Promise<Result | undefined> {
    const late = clock.sleep(longestAdviceMs).then(() => undefined);
    return Promise.race([call.catch(() => undefined), late]);
  }

  /** `begin` and `retry` return the latest state; undefined if the environment no longer exists. */
  return (state: EnvironmentState) => {
    const place = { ...target, environment: state.environment };
    const isInOrder = hasWaited;
    let conflicts = 0;
    let hasCome = false;

    const turn = {
      /** Recorded as served by the next write. */
      ticket: undefined as number | undefined,
      /** Waits if a queue is visible. A request that has waited in another environment only reads. */
      async begin() {
        if (isInOrder) return store.readEnvironment(place, { idempotency });
        return state.lastTicket > state.served ? waitFrom(state) : state;
      },
      /** Called after a write conflict, with the state that it returned. */
      async retry(current: EnvironmentState) {
        await pause(0);
        conflicts++;
        // A write with a ticket came first, so there is a queue.
        const hasQueue = !isInOrder && current.served > state.served;
        const isEarly = conflicts <= (isInOrder ? retriesInOrder : retriesBeforeTicket) && !hasQueue;
        return turn.ticket !== undefined || isEarly ? current : waitFrom(current);
      },
      /** Gives up the turn, but only once it has come: before, it would mark the tickets ahead as served too. */
      async giveUp() {
        if (turn.ticket !== undefined && hasCome) await advised(store.giveUpTurn(place, turn.ticket));
      },
    };

    async function waitFrom(latest: EnvironmentState): Promise<EnvironmentState | undefined> {
      const ticket = canQueue ? await timed(advised(store.takeTicket(place, latest.served))) : undefined;
      canQueue = ticket !== undefined;
      if (ticket === undefined) return latest;
      turn.ticket = ticket;
      hasWaited = true;
      let { served } = latest;
      let movedAt = clock.now();
      let pollsSince = 0;
      const ahead = () => ticket - writersAtOnce - served - passedOver(clock.now() - movedAt, callMs);
      for (;;) {
        await pause(pollAfterMs(ahead(), pollsSince, callMs));
        // After three reads without movement, the queue is read too: it shows turns that were given up.
        const current = await timed(store.readEnvironment(place, { idempotency, withQueue: pollsSince > 2 }));
        if (!current) return undefined;
        pollsSince++;
        if (current.served > served) {
          served = current.served;
          movedAt = clock.now();
          pollsSince = 0;
        }
        hasCome = ahead() <= 0;
        if (hasCome) return current;
      }
    }

    return turn;
  };
}

/** First in proportion to the tickets ahead, as a turn takes about a call; then at growing intervals. */
function pollAfterMs(ahead: number, pollsSince: number, callMs: number): number {
  if (pollsSince === 0) return Math.min(longestSleepMs, ahead * callMs);
  return Math.min(longestPollMs, callMs * 2 ** (pollsSince - 1));
}

/** The number of tickets to pass over when the queue has not moved for this long. */
function passedOver(unmovedMs: number, callMs: number): number {
  const stalledMs = unmovedMs - Math.max(stalledAfterMs, stalledAfterCalls * callMs);
  return stalledMs < 0 ? 0 : 2 ** Math.floor(stalledMs / doublingMs);
}
