/** What must hold after every write, with every response and at the end of every schedule. */
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { combinedEtag, environmentEtag } from "../../lib/features/etag.ts";
import { falseClaims } from "./claims.ts";
import { differs, type Environment, isOther, marksOf } from "./environment.ts";
import type { Effect, Ledger } from "./ledger.ts";
import type { Change, Table } from "./table/table.ts";
import type { Item } from "./table/values.ts";
import type { Call } from "./world/history.ts";
import type { Attempt, Wish } from "./world/wish.ts";

/** Each call of a check adds to the ledger what it has seen. */
export interface Checks {
  /** `copy` is the number of the call: the SDK's retry has another. */
  changed(change: Change, attempt: Attempt, copy: number): void;
  began(attempt: Attempt, table: Table): void;
  sent(attempt: Attempt, call: Call): void;
  /** An environment's item. */
  read(attempt: Attempt): void;
  timedOut(attempt: Attempt): void;
  replied(attempt: Attempt): void;
  /** When all processes are done. Writes that are still on their way may arrive later, or never. */
  ended(attempts: readonly Attempt[]): void;
  fail(what: string): void;
  ledger(): Ledger;
}

export function checksOn(before: Ledger): Checks {
  let ledger = before;

  function violate(what: string): void {
    ledger = { ...ledger, violations: [...ledger.violations, what] };
  }

  function changed({ key: { pk, sk }, before, after }: Change, attempt: Attempt, copy: number): void {
    if (sk === "FEATURE") featureChanged(attempt, copy, before, after);
    if (!sk.startsWith("ENVIRONMENT#")) return;
    const place = `${pk} ${sk}`;
    const [was, is] = [before, after].map((item) => item && (unmarshall(item as never) as Environment));
    if (is && isOther(was, is)) {
      const made = ledger.made + 1;
      ledger = { ...ledger, made, lives: { ...ledger.lives, [place]: made } };
    }
    if (is) {
      checkList(sk, is);
      const etag = combinedEtag([{ environment: is.environment, etag: environmentEtag(is) }]);
      ledger = { ...ledger, states: { ...ledger.states, [etag]: String(marksOf(is)) } };
    }
    if (was && is && !isOther(was, is)) checkRevision(sk, was, is);
    if (!attempt.wish && differs(was, is)) ledger = { ...ledger, isReplaced: true };
    if (!attempt.wish || !differs(was, is)) return;
    if (!was || !is) violate(`${attempt.name} made or removed ${sk}`);
    else environmentPatched(attempt, attempt.wish, was, is, ledger.lives[place]);
    if ((ledger.lives[place] ?? 0) > (ledger.reads[attempt.name] ?? 0)) {
      violate(`${attempt.name} wrote to ${sk}, which was made again after it had read it`);
    }
  }

  function environmentPatched(
    attempt: Attempt,
    wish: Wish,
    was: Environment,
    is: Environment,
    life = 0,
  ): void {
    const { environment, revision } = was;
    addEffect(attempt, wish, { environment, revision, life });
    if (!wish.environments?.includes(environment)) violate(`${attempt.name} wrote to ${environment}`);
    // Every request of the scenarios is to the project default.
    if (was.project !== "default") violate(`${attempt.name} wrote to ${environment} in ${was.project}`);
    if (wish.revision !== undefined && revision !== wish.revision) {
      violate(
        `${attempt.name} wrote over revision ${revision} of ${environment}, which is not that of if-match`,
      );
    }
    if (!wish.marks) return;
    const [had, has] = [marksOf(was), marksOf(is)];
    if (String([...had, wish.id]) !== String(has)) {
      violate(`${attempt.name} made of ${had} in ${environment}: ${has}`);
    }
    if (wish.isIdempotent && had.includes(wish.id)) violate(`${wish.id} is in ${environment} twice`);
  }

  function featureChanged(attempt: Attempt, copy: number, before?: Item, after?: Item): void {
    const { wish, name } = attempt;
    if (!wish) return;
    if (!before || !after || !wish.tags) {
      violate(`${name} changed the feature's item`);
      return;
    }
    const [had = [], has = []] = [before, after].map((item) => Object.keys(unmarshall(item as never).tags));
    const wanted = new Set([...had, ...wish.tags.added]);
    for (const tag of wish.tags.removed) wanted.delete(tag);
    if (String([...wanted].sort()) !== String(has.sort())) violate(`${name} made of the tags ${had}: ${has}`);
    if (ledger.acknowledged.includes(name)) violate(`${name} was acknowledged, and changed the tags again`);
    const others = ledger.effects.filter(({ environment }) => environment === "tags");
    if (others.some((other) => other.attempt === name && (other.copy ?? 0) > copy)) {
      violate(`a copy of ${name} changed the tags after a later copy of it`);
    }
    const later = ledger.created.slice(ledger.sent[`${name} ${copy}`]);
    if (later.includes(unmarshall(before as never).uid)) {
      violate(`a copy of ${name} changed the tags of a feature that was created after it had been sent`);
    }
    addEffect(attempt, wish, { environment: "tags", revision: others.length, copy, life: 0 });
  }

  function addEffect(
    { name }: Attempt,
    { id }: Wish,
    where: Pick<Effect, "environment" | "revision" | "copy" | "life">,
  ): void {
    const effect = { attempt: name, wish: id, ...where };
    ledger = { ...ledger, effects: [...ledger.effects, effect] };
    if (ledger.starts[name]?.isRevoked) violate(`${name} wrote with a key that was revoked before it began`);
  }

  function checkList(sk: string, { variants }: Environment): void {
    const names = variants.map(({ name }) => name);
    const sum = variants.reduce((total, { weight }) => total + weight, 0);
    if (String([...new Set(names)].sort()) !== String(names)) violate(`${sk} has the variants ${names}`);
    if (variants.length > 0 && sum !== 1000) violate(`the weights in ${sk} sum to ${sum}`);
  }

  function checkRevision(sk: string, was: Environment, is: Environment): void {
    if (is.revision === was.revision + (differs(was, is) ? 1 : 0)) return;
    violate(`${sk} went from revision ${was.revision} to ${is.revision}`);
  }

  function began({ name, wish }: Attempt, table: Table): void {
    const key = { pk: `KEY#${wish?.keyHash}`, sk: "KEY" };
    const isRevoked = wish?.keyHash !== undefined && table.get(key)?.revokedAt !== undefined;
    ledger = { ...ledger, starts: { ...ledger.starts, [name]: { isRevoked } } };
  }

  function sent({ name, wish }: Attempt, { number, input }: Call): void {
    const { created } = ledger;
    if (wish?.tags) ledger = { ...ledger, sent: { ...ledger.sent, [`${name} ${number}`]: created.length } };
    const { sk, uid } = (input.Item ?? {}) as Record<string, { S: string }>;
    // A copy of a creation makes the same feature again.
    if (sk?.S === "FEATURE" && uid && !created.includes(uid.S)) {
      ledger = { ...ledger, created: [...created, uid.S] };
    }
  }

  function read({ name }: Attempt): void {
    ledger = { ...ledger, reads: { ...ledger.reads, [name]: ledger.made } };
  }

  function timedOut({ name }: Attempt): void {
    ledger = { ...ledger, late: [...ledger.late, name] };
  }

  function replied(attempt: Attempt): void {
    const { name, wish, reply } = attempt;
    if (!wish || !reply?.status) return;
    const { status, json } = reply;
    if (ledger.starts[name]?.isRevoked && status !== 401 && status !== 503) {
      violate(`${name} came with a revoked key and received ${status}`);
    }
    if (status === 500 || (status === 400 && !wish.isExhaustible)) violate(`${name} received ${status}`);
    const isStarved = status === 503 || String(json.message).includes("Gave up waiting");
    if (isStarved && !ledger.late.includes(name)) violate(`${name} has starved: ${json.message}`);
    if (status === 200 && wish.marks && !ledger.isReplaced && !marksOf(json).includes(wish.id)) {
      violate(`${name} received 200, and its change is not in the answer`);
    }
    const stored = ledger.states[reply.headers.etag?.replaceAll('"', "") ?? ""];
    if (status === 200 && stored !== undefined && stored !== String(marksOf(json))) {
      violate(`${name} received ${marksOf(json)} with the etag of ${stored}`);
    }
    checkClaims(attempt, wish);
    if (wish.tags && status < 300) ledger = { ...ledger, acknowledged: [...ledger.acknowledged, name] };
  }

  function checkClaims(attempt: Attempt, wish: Wish): void {
    for (const what of falseClaims(attempt, wish, ledger.effects)) violate(what);
  }

  function ended(attempts: readonly Attempt[]): void {
    for (const attempt of attempts) if (attempt.wish && attempt.reply) checkClaims(attempt, attempt.wish);
  }

  return { changed, began, sent, read, timedOut, replied, ended, fail: violate, ledger: () => ledger };
}
