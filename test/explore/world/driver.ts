/** Gives the script of a process what it can do: send requests to the handlers, run the command line's code, wait. */
import * as tags from "../../../functions/tags.ts";
import * as variants from "../../../functions/variants.ts";
import { openTable } from "../../../infra/store/open-table.ts";
import { type ApiKey, createKeyCache } from "../../../lib/access/authenticate.ts";
import type { Cached } from "../../../lib/stale-cache.ts";
import type { Session } from "../../../lib/store/dynamodb/session.ts";
import { toContext, toEvent } from "../../support/event.ts";
import { type Attempt, type Intent, noReply, type Reply, toReply } from "./intent.ts";
import { client } from "./network.ts";
import { type Clock, startOfTime } from "./time.ts";

/** What a script may do. */
export interface Driver {
  send(intent: Intent): Promise<Reply>;
  /** Undefined when it was killed. */
  operate<Result>(name: string, run: (session: Session) => Promise<Result>): Promise<Result | undefined>;
  wait(ms: number): void;
}

export type Script = (driver: Driver) => Promise<void>;

/** The time that an invocation has: `timeout` in serverless.yml. */
const timeoutMs = 10_000;

const table = "explored";

/** Calls of one request. */
const mostOfRequest = 1000;

/** A process when it begins a request while nothing else of it is open: all that it does from then on follows from this. */
export interface Origin {
  attempts: readonly Attempt[];
  now: number;
  /** How often it drew random bytes. */
  drawn: number;
  /** What its sandboxes remember: the API keys that each has read. */
  known: Readonly<Record<string, readonly [string, Cached<ApiKey>][]>>;
}

interface Owner {
  clock: Clock;
  endsAt: number;
  calls: ReadonlyMap<number, unknown>;
  sent: number;
  attempts: Attempt[];
  origin?: Origin;
  /** Whether nothing was delivered to it since. */
  isAtOrigin: boolean;
  kill: () => void;
}

/** With an origin, the script runs from its beginning, and its first requests receive at once what they had received. */
export function createDriver(process: Owner, past?: Origin): Driver {
  const { clock, attempts } = process;
  const sandboxes = new Map(
    Object.entries(past?.known ?? {}).map(([name, keys]) => [name, openSandbox(name, keys)]),
  );

  /** A killed run never ends; the next request opens another sandbox. */
  function unlessKilled<Result>(run: Promise<Result>): Promise<Result | undefined> {
    const killed = new Promise<undefined>((resolve) => {
      process.kill = () => {
        sandboxes.clear();
        resolve(undefined);
      };
    });
    return Promise.race([run, killed]);
  }

  function begin(name: string, intent?: Intent): Attempt {
    const known = past?.attempts[attempts.length];
    if (!known) settle();
    const attempt: Attempt = known ?? { name: `${name}.${attempts.length + 1}`, ...(intent && { intent }) };
    attempts.push(attempt);
    return attempt;
  }

  /** A request begins at a full second, with numbers of its own, so that many histories come to the same origin. */
  function settle(): void {
    if (process.calls.size > 0 || clock.timers.size > 0) return;
    const now = startOfTime + Math.ceil((clock.now - startOfTime) / 1000) * 1000;
    const known = [...sandboxes].map(([path, { keyCache }]) => [path, [...keyCache.entries]]);
    const { length } = attempts;
    const reached = { attempts: [...attempts], now, drawn: clock.drawn, known: Object.fromEntries(known) };
    process.origin = length === past?.attempts.length ? past : reached;
    process.isAtOrigin = true;
    clock.now = process.origin.now;
    clock.drawn = process.origin.drawn;
    process.sent = length * mostOfRequest;
  }

  return {
    async send(intent) {
      const attempt = begin(intent.name ?? intent.id, intent);
      if (attempt.reply) return attempt.reply;
      const name = intent.http.path.includes("/projects/") ? "variants" : "tags";
      const sandbox = sandboxes.get(name) ?? openSandbox(name);
      sandboxes.set(name, sandbox);
      const endsAt = clock.now + timeoutMs;
      process.endsAt = endsAt;
      const context = toContext({ remainingMs: () => endsAt - clock.now });
      const result = await unlessKilled(sandbox.handle(toEvent(intent.http), context));
      attempt.reply = result ? toReply(result) : noReply;
      return attempt.reply;
    },
    async operate(name, run) {
      const attempt = begin(name);
      if (attempt.reply) return attempt.reply.json;
      const result = await unlessKilled(run(openTable(table, client)));
      attempt.reply = { status: result === undefined ? 0 : 200, headers: {}, json: result };
      return result;
    },
    wait(ms) {
      clock.now += ms;
    },
  };
}

function openSandbox(name: string, keys?: Origin["known"][string]) {
  const keyCache = createKeyCache(30);
  for (const [hash, cached] of keys ?? []) keyCache.entries.set(hash, cached);
  const { open } = name === "tags" ? tags : variants;
  return { handle: open({ TABLE_NAME: table }, { client, keyCache }), keyCache };
}
