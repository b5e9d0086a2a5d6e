/** What the script of a process can do: send requests to the handlers, run the command line's code, wait. */
import * as tags from "../../../functions/tags.ts";
import * as variants from "../../../functions/variants.ts";
import { openTable } from "../../../infra/store/open-table.ts";
import type { Handler, OpenHandler } from "../../../lib/http/handler.ts";
import type { Session } from "../../../lib/store/session.ts";
import { toContext, toEvent } from "../../support/event.ts";
import { client } from "./network.ts";
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

/** That an invocation has: `timeout` in serverless.yml. */
const timeoutMs = 10_000;

const table = "explored";

interface Owner {
  clock: Clock;
  endsAt: number;
  attempts: Attempt[];
  kill: () => void;
}

export function handsOf(process: Owner): Hands {
  const { clock, attempts } = process;
  const handlers = new Map<OpenHandler, Handler>();

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
      const { open } = wish.http.path.includes("/projects/") ? variants : tags;
      const handler = handlers.get(open) ?? open({ TABLE_NAME: table }, { client });
      handlers.set(open, handler);
      const endsAt = clock.now + timeoutMs;
      process.endsAt = endsAt;
      const context = toContext({ remainingMs: () => endsAt - clock.now });
      const result = await unlessKilled(handler(toEvent(wish.http), context));
      attempt.reply = result ? toReply(result) : noAnswer;
      return attempt.reply;
    },
    async operate(name, run) {
      const attempt = begin(name);
      const result = await unlessKilled(run(openTable(table, client)));
      attempt.reply = { status: result === undefined ? 0 : 200, headers: {}, json: result };
      return result;
    },
    wait(ms) {
      clock.now += ms;
    },
  };
}
