/** What must hold after every write, with every response and at the end of every schedule. */
import type { Item } from "../../infra/engine/values.ts";
import { limits } from "../../lib/contract/limits.ts";
import { etagOf, tagsEtagOf } from "../../lib/features/etags.ts";
import { tagMember } from "../../lib/features/tags/tag-list.ts";
import { environmentTableKey, type FeatureItem, featureTableKey } from "../../lib/store/items.ts";
import { changeOfItem } from "../../lib/store/stored-content.ts";
import {
  idOf,
  isSwitchedSince,
  isTrippedAbove,
  isUndoneIn,
  isUndoOf,
  type KeptItem,
  placeOf as placeOfEnvironment,
  wrongDrop,
  wrongItem,
  wrongList,
  wrongTrip,
  wrongUndo,
} from "./changes.ts";
import { falseClaims } from "./claims.ts";
import { unseen, wrongCreation, wrongRestoration } from "./creations.ts";
import {
  carriedBy,
  contentOf,
  contentsOf,
  differs,
  type Environment,
  isOther,
  marksOf,
  rulesOf,
  touchedIn,
  wrongHistory,
} from "./environment.ts";
import type { Effect, Ledger, Made, Start } from "./ledger.ts";
import { feature } from "./requests.ts";
import { placeOf, type Table, type TableWrite } from "./table/table.ts";
import { type Attempt, isUnsure, outcomeIn, type Wish } from "./world/wish.ts";

/** Each call of a check adds to the ledger what it has seen. */
export interface Checks {
  wrote(write: TableWrite, attempt: Attempt): void;
  began(attempt: Attempt, table: Table): void;
  readTags(attempt: Attempt, table: Table): void;
  /** An environment's item. */
  read(attempt: Attempt, startsOver: boolean, table: Table): void;
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

  function report({ name }: Attempt, wrong: readonly string[]): void {
    for (const what of wrong) violate(`${name} ${what}`);
  }

  function wrote({ key: { pk, sk }, before, after }: TableWrite, attempt: Attempt): void {
    if (sk === "FEATURE") featureChanged(attempt, before, after);
    if (pk.startsWith("CHANGE#")) changeKept(attempt, before, after);
    if (pk.startsWith("DELETED#")) copied(after);
    if (!sk.startsWith("ENVIRONMENT#")) return;
    const place = `${pk} ${sk}`;
    const [was, is] = [before, after].map((item) => contentsOf<Environment>(item));
    if (is && isOther(was, is)) {
      const made = ledger.made + 1;
      ledger = { ...ledger, made, lives: { ...ledger.lives, [place]: made } };
    }
    if (is) {
      checkList(sk, is);
      const target = { project: is.project, feature };
      for (const environment of [undefined, is.environment]) {
        const etag = etagOf({ ...target, environment }, [is]);
        ledger = { ...ledger, marksByEtag: { ...ledger.marksByEtag, [etag]: String(marksOf(is)) } };
      }
    }
    if (is) ledger = { ...ledger, marks: { ...ledger.marks, [is.environment]: marksOf(is) } };
    if (was && is && !isOther(was, is)) {
      checkRevision(sk, was, is);
      report(
        attempt,
        wrongHistory(was, is).map((what) => `wrote ${sk}: ${what}`),
      );
      if (differs(was, is)) addChange(was, is);
      const still = new Set(carriedBy(is).map(({ revision }) => revision));
      const dropped = carriedBy(was).filter(({ revision }) => !still.has(revision));
      for (const change of dropped) report(attempt, wrongDrop(ledger, change, placeOfEnvironment(is)));
    }
    if (!is) ledger = { ...ledger, isDeleted: true };
    // A restoration completes a deletion first.
    if (attempt.wish?.deletes || (attempt.wish?.restores && !is)) {
      if (is) violate(`${attempt.name} wrote to ${sk}`);
      if (was && !ledger.copies[copyOf(was)])
        violate(`${attempt.name} deleted ${sk}, and kept no copy of it`);
      return;
    }
    if (is && !attempt.wish?.restores) {
      ledger = { ...ledger, newest: { ...ledger.newest, [sk]: JSON.stringify(contentOf(is)) } };
    }
    if (attempt.wish?.creates && is) {
      report(
        attempt,
        attempt.wish.restores ? wrongRestoration(ledger.newest[sk], is) : wrongCreation(ledger, was, is),
      );
      if (was) ledger = { ...ledger, isDeleted: true };
      return;
    }
    if (!attempt.wish && differs(was, is)) ledger = { ...ledger, isReplaced: true };
    if (!attempt.wish || !differs(was, is)) return;
    if (!was || !is) violate(`${attempt.name} made or removed ${sk}`);
    else environmentPatched(attempt, attempt.wish, was, is, ledger.lives[place]);
    if ((ledger.lives[place] ?? 0) > (ledger.reads[attempt.name] ?? 0)) {
      violate(`${attempt.name} wrote to ${sk}, which was made again after it had read it`);
    }
  }

  function copied(item?: Item): void {
    const copy = contentsOf<Environment>(item);
    if (copy?.revision !== undefined)
      ledger = { ...ledger, copies: { ...ledger.copies, [copyOf(copy)]: true } };
  }

  function changeKept(attempt: Attempt, before?: Item, after?: Item): void {
    const [was, is] = [before, after].map((item) => contentsOf<KeptItem>(item));
    if (!is) {
      violate(`${attempt.name} deleted a change`);
      return;
    }
    report(attempt, wrongItem(ledger, was, is));
    const kept = "change" in is ? { kept: { ...ledger.kept, [idOf(is)]: true as const } } : {};
    const marked = "change" in is ? {} : { marked: { ...ledger.marked, [idOf(is)]: is.undoneBy } };
    ledger = { ...ledger, ...kept, ...marked };
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
    if (wish.isRefused) violate(`${attempt.name} wrote to ${environment}, and was to be refused`);
    if (wish.mayMoveNone && was.enabled) violate(`${attempt.name} moved users in ${environment}`);
    if (wish.trips !== undefined) environmentTripped(attempt, wish, was, is);
    if (wish.undoes) report(attempt, wrongUndo(ledger, wish.undoes.change, was, is));
    if (wish.enabled !== undefined) environmentSwitched(attempt, wish, is);
    const isFor = wish.rules ? "strategies" : wish.enabled === undefined ? "variants" : "enabled";
    const others =
      wish.undoes || wish.trips !== undefined ? [] : touchedIn(was, is).filter((aspect) => aspect !== isFor);
    if (others.length > 0) violate(`${attempt.name} changed ${others} of ${environment} too`);
    if (wish.rules && String([...rulesOf(was), wish.id]) !== String(rulesOf(is))) {
      violate(`${attempt.name} made of the strategies ${rulesOf(was)} in ${environment}: ${rulesOf(is)}`);
    }
    if (!wish.marks) return;
    const [had, has] = [marksOf(was), marksOf(is)];
    if (String([...had, wish.id]) !== String(has)) {
      violate(`${attempt.name} made of ${had} in ${environment}: ${has}`);
    }
    if (wish.isIdempotent && had.includes(wish.id)) violate(`${wish.id} is in ${environment} twice`);
  }

  function environmentTripped(attempt: Attempt, wish: Wish, was: Environment, is: Environment): void {
    report(attempt, wrongTrip(ledger, wish, was, is));
    const place = placeOfEnvironment(is);
    const revisions = [...(ledger.tripped[place] ?? []), is.carriedNewest?.undoes?.revision ?? 0];
    ledger = { ...ledger, tripped: { ...ledger.tripped, [place]: revisions } };
  }

  /** What was under the guard when the trip began is taken back, or what was made since; or a later change is reported. */
  function checkTripped({ name, reply }: Attempt): void {
    const isReported = reply?.json.features.length > 0;
    for (const [environment, { id, revision }] of Object.entries(ledger.starts[name]?.guarded ?? {})) {
      const isCovered = isReported || isTrippedAbove(ledger, environment, revision);
      if (!isCovered && !isUndoneIn(ledger, environment, id)) violate(`${name} left ${id} in ${environment}`);
    }
  }

  function environmentSwitched({ name }: Attempt, { enabled }: Wish, is: Environment): void {
    if (is.enabled !== enabled) violate(`${name} left ${is.environment} ${is.enabled ? "on" : "off"}`);
  }

  function addChange(was: Environment, is: Environment): void {
    if (!is.carriedNewest) return;
    const id = `${placeOfEnvironment(is)} ${is.carriedNewest.id}`;
    if (ledger.changes[id]) violate(`the change ${id} was made twice`);
    const made = { change: changeOfItem(is.carriedNewest), before: contentOf(was), after: contentOf(is) };
    const elsewhere = Object.values(ledger.changes).find(({ change }) => change.id === made.change.id);
    // Where the feature is created again, the request makes another change of the same id.
    if (elsewhere && !ledger.isDeleted && stampOf(elsewhere) !== stampOf(made)) {
      violate(`the change ${id} has another time or guard than in another environment`);
    }
    ledger = { ...ledger, changes: { ...ledger.changes, [id]: made } };
  }

  function featureChanged(attempt: Attempt, before?: Item, after?: Item): void {
    const { wish, name } = attempt;
    const [was, is] = [before, after].map((item) => contentsOf<FeatureItem>(item));
    if (!is) ledger = { ...ledger, isDeleted: true };
    ledger = { ...ledger, updates: ledger.updates + 1, listed: is?.environments ?? [] };
    if (is) ledger = { ...ledger, tagsByEtag: { ...ledger.tagsByEtag, [tagsEtagOf(is)]: namesOf(is) } };
    if (was && is && was.uid === is.uid) {
      if (is.earlierWriteIds[0] !== was.changed.id) violate(`${name} lost the id of the update before it`);
      if (is.revision !== was.revision + 1) violate(`${name} left the feature's item at a revision`);
    }
    if (!wish) return;
    const effect = { environment: "feature", revision: ledger.updates, life: 0 };
    if (wish.deletes && !is) {
      if (ledger.effects.some(({ attempt }) => attempt === name)) violate(`${name} deleted two features`);
      addEffect(attempt, wish, effect);
      return;
    }
    if (wish.creates && is && !was) {
      ledger = { ...ledger, creators: [...ledger.creators, wish.id] };
      addEffect(attempt, wish, effect);
      return;
    }
    if (!was || !is || !wish.tags) {
      violate(`${name} changed the feature's item`);
      return;
    }
    const wanted = new Set([...Object.keys(was.tags), ...wish.tags.added]);
    for (const tag of wish.tags.removed) wanted.delete(tag);
    if (String([...wanted].sort()) !== namesOf(is)) {
      violate(`${name} made of the tags ${namesOf(was)}: ${namesOf(is)}`);
    }
    if (namesOf(was) === namesOf(is)) violate(`${name} wrote tags that it did not change`);
    if (wish.project !== undefined && was.project !== wish.project) {
      violate(`${name} changed the tags of a feature of ${was.project}`);
    }
    if (wish.etag !== undefined && tagsEtagOf(was) !== wish.etag) {
      violate(`${name} wrote over the tags ${was.changed.id}, which are not those of if-match`);
    }
    const isAgain = ledger.effects.some((other) => other.environment === "tags" && other.attempt === name);
    if (isAgain) violate(`${name} changed the tags twice`);
    if (was.uid !== ledger.starts[name]?.uid) {
      violate(`${name} changed the tags of a feature that was made again after it had read it`);
    }
    addEffect(attempt, wish, { environment: "tags", revision: ledger.updates, life: 0 });
  }

  function addEffect(
    { name }: Attempt,
    { id }: Wish,
    where: Pick<Effect, "environment" | "revision" | "life">,
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
    const isRevoked = wish?.keyHash !== undefined && table.get(placeOf(key))?.revokedAt !== undefined;
    const undone = wish?.undoes?.wish;
    const changed = ledger.effects
      .filter((effect) => effect.wish === undone)
      .map(({ environment }) => environment);
    const guarded = guardedIn(table, wish);
    ledger = {
      ...ledger,
      starts: { ...ledger.starts, [name]: { isRevoked, changed, guarded, updates: ledger.updates } },
    };
  }

  /** It goes on with the feature that it has read first, or ends. */
  function readTags({ name, wish }: Attempt, table: Table): void {
    const start = ledger.starts[name];
    if (!wish?.tags || !start || start.uid !== undefined) return;
    const item = table.get(placeOf(featureTableKey(feature)));
    const uid = contentsOf<FeatureItem>(item)?.uid;
    ledger = {
      ...ledger,
      starts: { ...ledger.starts, [name]: { ...start, ...(uid !== undefined && { uid }) } },
    };
  }

  /** It goes on from what it has read first, or starts over. */
  function read({ name, wish }: Attempt, startsOver: boolean, table: Table): void {
    const start = ledger.starts[name];
    if (start && isList(wish)) {
      const revisions = start.revisions ?? revisionsIn(table);
      ledger = { ...ledger, starts: { ...ledger.starts, [name]: { ...start, revisions } } };
    }
    if (!startsOver && ledger.reads[name] !== undefined) return;
    ledger = { ...ledger, reads: { ...ledger.reads, [name]: ledger.made } };
  }

  function timedOut({ name }: Attempt): void {
    ledger = { ...ledger, late: [...ledger.late, name] };
  }

  function replied(attempt: Attempt): void {
    const { name, wish, reply } = attempt;
    if (!wish || !reply?.status) return;
    const { status, json } = reply;
    const isNotSo = (one: { environment: string; enabled: boolean }) =>
      one.enabled !== wish.enabled && !isSwitchedSince(ledger, wish.id, one);
    if (ledger.starts[name]?.isRevoked && status !== 401 && status !== 503) {
      violate(`${name} came with a revoked key and received ${status}`);
    }
    if (status === 500 || (status === 400 && !wish.isExhaustible)) violate(`${name} received ${status}`);
    const isStarved = status === 503 || json.code === "gave-up";
    if (isStarved && !ledger.late.includes(name)) violate(`${name} has starved: ${json.message}`);
    if (status === 200 && wish.marks && !ledger.isReplaced && !marksOf(json).includes(wish.id)) {
      violate(`${name} received 200, and its change is not in the answer`);
    }
    if (status === 200 && wish.enabled !== undefined && json.environments.some(isNotSo)) {
      violate(`${name} received 200, and not the state that it was to make`);
    }
    const stored = ledger.marksByEtag[reply.headers.etag?.replaceAll('"', "") ?? ""];
    if (status === 200 && stored !== undefined && json.variants && stored !== String(marksOf(json))) {
      violate(`${name} received ${marksOf(json)} with the etag of ${stored}`);
    }
    // While the table responds, it shows what has become of a write, unless the environment is gone.
    const isUnsureOfPatch = wish.environments && isUnsure(json) && !ledger.isDeleted;
    if (isUnsureOfPatch && !ledger.late.includes(name)) violate(`${name} does not know its outcome`);
    if (status === 200 || status === 201) report(attempt, unseen(attempt, ledger));
    if (wish.undoes && status === 200) checkUndone(attempt, wish.undoes);
    if (wish.trips !== undefined && status === 200) checkTripped(attempt);
    if (status === 200 && json.changes) {
      report(attempt, wrongList(ledger, ledger.starts[name]?.revisions, json.changes));
    }
    const undo = json.undoneBy;
    const undone = reply.headers["burgee-change"];
    if (undo !== undefined && !isUndoOf(ledger, undo, undone)) {
      violate(`${name} received that ${undone} was undone by ${undo}, which it was not`);
    }
    checkRefusal(attempt, wish);
    checkClaims(attempt, wish);
    if (wish.tags) checkTags(attempt, wish.tags);
  }

  function checkTags({ name, reply }: Attempt, { added, removed }: NonNullable<Wish["tags"]>): void {
    const { status = 0, headers = {}, json } = reply ?? {};
    const updates = ledger.updates - (ledger.starts[name]?.updates ?? 0);
    const hasLost = ledger.isDeleted || updates > limits.earlierWriteIds;
    if (isUnsure(json) && !hasLost && !ledger.late.includes(name)) {
      violate(`${name} does not know its outcome`);
    }
    if (status !== 201) return;
    const has: string[] = json.tags.map(tagMember).sort();
    const stored = ledger.tagsByEtag[headers.etag?.replaceAll('"', "") ?? ""];
    if (stored !== undefined && stored !== String(has)) {
      violate(`${name} received the tags ${has} with the etag of others`);
    }
    const isMade = ledger.effects.some((effect) => effect.attempt === name);
    const isAsSent = added.every((tag) => has.includes(tag)) && !removed.some((tag) => has.includes(tag));
    if (!isMade && !isAsSent) violate(`${name} received 201 with the tags ${has}, and wrote nothing`);
  }

  /** Where a request with an idempotency key is refused for a change, another one has made it. */
  function checkRefusal({ name, reply }: Attempt, { id, isIdempotent }: Wish): void {
    const isOfOthers =
      ledger.isReplaced || ledger.isDeleted || ledger.effects.some(({ wish }) => wish !== id);
    const isRefused = reply?.status === 412 || reply?.json.code === "changed-meanwhile";
    if (isIdempotent && isRefused && !isOfOthers) violate(`${name} was refused for its own change`);
  }

  /** Where the change was made before the undo began, it is gone when the undo is acknowledged. */
  function checkUndone({ name }: Attempt, { wish: undone, change }: NonNullable<Wish["undoes"]>): void {
    for (const environment of ledger.starts[name]?.changed ?? []) {
      const has = ledger.marks[environment] ?? [];
      const isStill = has.includes(undone) || !isUndoneIn(ledger, environment, change);
      if (isStill) violate(`${name} was acknowledged, and ${undone} is in ${environment}`);
    }
  }

  function checkClaims(attempt: Attempt, wish: Wish): void {
    for (const what of falseClaims(attempt, wish, ledger.effects)) violate(what);
    for (const environment of wish.environments ?? []) {
      const has = ledger.marks[environment] ?? [];
      const isGone = outcomeIn(attempt, environment) === "undone";
      if (isGone && has.includes(wish.id))
        violate(`${attempt.name} was undone in ${environment}, and is there`);
    }
  }

  function ended(attempts: readonly Attempt[]): void {
    for (const attempt of attempts) if (attempt.wish && attempt.reply) checkClaims(attempt, attempt.wish);
  }

  return { wrote, began, readTags, read, timedOut, replied, ended, fail: violate, ledger: () => ledger };
}

/** The changes on top that are under the guard of a trip. */
function guardedIn(table: Table, wish?: Wish): NonNullable<Start["guarded"]> {
  if (wish?.trips === undefined || wish.isTooLate) return {};
  const items = wish.environments?.map((one) => table.get(placeOf(environmentTableKey(feature, one)))) ?? [];
  return Object.fromEntries(
    items.flatMap((item) => {
      const { environment = "", top = null } = contentsOf<Environment>(item) ?? {};
      return top && top.guard?.name === wish.trips ? [[environment, top]] : [];
    }),
  );
}

function namesOf({ tags }: Pick<FeatureItem, "tags">): string {
  return String(Object.keys(tags).sort());
}

const copyOf = ({ uid, revision }: Environment) => `${uid} ${revision}`;

function isList(wish?: Wish): boolean {
  return wish?.http.path.endsWith("/changes") ?? false;
}

/** The revision of each environment. */
function revisionsIn(table: Table): Readonly<Record<string, number>> {
  const items = [...table.values()].flatMap((item) => contentsOf<Environment>(item) ?? []);
  const environments = items.filter(({ sk }) => sk.startsWith("ENVIRONMENT#"));
  return Object.fromEntries(environments.map(({ environment, revision }) => [environment, revision]));
}

function stampOf({ change: { at, guard } }: Made): string {
  return JSON.stringify([at, guard]);
}
