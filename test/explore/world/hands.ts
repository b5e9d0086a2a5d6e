/** What the script of a process can do: send requests to the handlers, run the command line's code, wait. */
import { openTable } from "../../../infra/store/open-table.ts";
import type { Handler } from "../../../lib/http/handler.ts";
import type { Session } from "../../../lib/store/session.ts";
import { toContext, toEvent } from "../../support/event.ts";
import type { Clock } from "./time.ts";
import { type Attempt, noAnswer, type Reply, toReply, type Wish } from "./wish.ts";

/** What a script may do. */
export interface Hands {
  send(wish: Wish): Promise<Reply>;
  /** Undefined when it was killed. */
  operate<Result>(name: string, run: (session: Session) => Promise<Result>): Promise<Result | undefined>;
  wait(ms: number): void;
}

export type Script = (hands: Hands) => Promise<void>;

/** Opens the handler of a new sandbox. */
export type Open = (name: "tags" | "variants") => Handler;

/** That an invocation has: `timeout` in serverless.yml. */
const timeoutMs = 10_000;

interface Owner {
  clock: Clock;
  endsAt: number;
  attempts: Attempt[];
  kill: () => void;
}

export function handsOf(process: Owner, open: Open): Hands {
  const { clock, attempts } = process;
  const handlers = new Map<string, Handler>();

  /** A killed run never ends; the next request opens another sandbox. */
  function unlessKilled<Result>(run: Promise<Result>): Promise<Result | undefined> {
    const killed = new Promise<undefined>((resolve) => {
      process.kill = () => {
        handlers.clear();
        resolve(undefined);
      };
    });
    return Promise.race([run, killed]);
  }

  function begin(name: string, wish?: Wish): Attempt {
    const attempt: Attempt = { name: `${name}.${attempts.length + 1}`, ...(wish && { wish }) };
    attempts.push(attempt);
    return attempt;
  }

  return {
    async send(wish) {
      const attempt = begin(wish.name ?? wish.id, wish);
      const which = wish.http.path.includes("/projects/") ? "variants" : "tags";
      const handler = handlers.get(which) ?? open(which);
      handlers.set(which, handler);
      const endsAt = clock.now + timeoutMs;
      process.endsAt = endsAt;
      const context = toContext({ remainingMs: () => endsAt - clock.now });
      const result = await unlessKilled(handler(toEvent(wish.http), context));
      attempt.reply = result ? toReply(result) : noAnswer;
      return attempt.reply;
    },
    async operate(name, run) {
      const attempt = begin(name);
      const result = await unlessKilled(run(openTable("explored")));
      attempt.reply = { status: result === undefined ? 0 : 200, headers: {}, json: result };
      return result;
    },
    wait(ms) {
      clock.now += ms;
    },
  };
}
