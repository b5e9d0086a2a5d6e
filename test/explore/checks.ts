/** What must hold after every write, with every response and at the end of every schedule. */
import type { Item } from "../../infra/engine/values.ts";
import { limits } from "../../lib/contract/limits.ts";
import { etagOf, tagsEtagOf } from "../../lib/features/etags.ts";
import { tagMember } from "../../lib/features/tags/tag-list.ts";
import { environmentTableKey, type FeatureItem, featureTableKey } from "../../lib/store/items.ts";
import { changeOfItem } from "../../lib/store/stored-content.ts";
import {
  type ChangeOrMarkItem,
  isSwitchedSince,
  isTrippedAbove,
  isUndoneIn,
  isUndoOf,
  keyOf,
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
  strategyTracesOf,
  touchedIn,
  tracesOf,
  wrongHistory,
} from "./environment.ts";
import type { Effect, Ledger, MadeChange, Start } from "./ledger.ts";
import { feature } from "./requests.ts";
import { placeOf, type Table, type TableWrite } from "./table/table.ts";
import { type Attempt, isUnsure, outcomeIn, type Reply, type Wish } from "./world/wish.ts";

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
    if (sk === "FEATURE") featureWritten(attempt, before, after);
    if (pk.startsWith("CHANGE#")) changeOrMarkWritten(attempt, before, after);
    if (pk.startsWith("DELETED#")) copyWritten(after);
    if (sk.startsWith("ENVIRONMENT#")) environmentWritten(attempt, pk, sk, before, after);
  }

  function copyWritten(item?: Item): void {
    const copy = contentsOf<Environment>(item);
    if (copy?.revision !== undefined)
      ledger = { ...ledger, copies: { ...ledger.copies, [copyOf(copy)]: true } };
  }

  function changeOrMarkWritten(attempt: Attempt, before?: Item, after?: Item): void {
    const [was, is] = [before, after].map((item) => contentsOf<ChangeOrMarkItem>(item));
    if (!is) {
      violate(`${attempt.name} deleted a change`);
      return;
    }
    report(attempt, wrongItem(ledger, was, is));
    const key = keyOf(is);
    ledger =
      "change" in is
        ? { ...ledger, changeItems: { ...ledger.changeItems, [key]: true } }
        : { ...ledger, marked: { ...ledger.marked, [key]: is.undoneBy } };
  }

  /** Each write is checked by itself, then by what its request wants. An operator's write has no wish. */
  function environmentWritten(attempt: Attempt, pk: string, sk: string, before?: Item, after?: Item): void {
    const { name, wish } = attempt;
    const [was, is] = [before, after].map((item) => contentsOf<Environment>(item));
    const tableKey = `${pk} ${sk}`;
    rememberEnvironment(tableKey, was, is);
    if (is) checkVariants(sk, is);
    if (was && is && !isOther(was, is)) {
      checkRevisionGrowsByOne(sk, was, is);
      for (const what of wrongHistory(was, is)) violate(`${name} wrote ${sk}: ${what}`);
      if (differs(was, is)) addMadeChange(was, is);
      checkDroppedChanges(attempt, was, is);
    }
    // A restoration completes a deletion first.
    if (wish?.deletes || (wish?.restores && !is)) {
      if (is) violate(`${name} wrote to ${sk}`);
      if (was) checkCopyBeforeDeletion(name, sk, was);
    } else if (wish?.creates && is) {
      if (was) ledger = { ...ledger, isDeleted: true };
      report(
        attempt,
        wish.restores ? wrongRestoration(ledger.newest[sk], is) : wrongCreation(ledger, was, is),
      );
    } else if (wish && differs(was, is)) {
      if (was && is) environmentChanged(attempt, wish, was, is, ledger.lives[tableKey]);
      else violate(`${name} made or removed ${sk}`);
      checkWritesWhatItRead(name, sk, tableKey);
    } else if (differs(was, is)) {
      ledger = { ...ledger, isReplaced: true };
    }
    if (is && !wish?.restores)
      ledger = { ...ledger, newest: { ...ledger.newest, [sk]: JSON.stringify(contentOf(is)) } };
  }

  function rememberEnvironment(
    tableKey: string,
    was: Environment | undefined,
    is: Environment | undefined,
  ): void {
    if (!is) {
      ledger = { ...ledger, isDeleted: true };
      return;
    }
    if (isOther(was, is)) {
      const made = ledger.made + 1;
      ledger = { ...ledger, made, lives: { ...ledger.lives, [tableKey]: made } };
    }
    const target = { project: is.project, feature };
    const etags = [undefined, is.environment].map((environment) => etagOf({ ...target, environment }, [is]));
    const traces = tracesOf(is);
    const byEtag = Object.fromEntries(etags.map((etag) => [etag, String(traces)]));
    ledger = {
      ...ledger,
      traces: { ...ledger.traces, [is.environment]: traces },
      tracesByEtag: { ...ledger.tracesByEtag, ...byEtag },
    };
  }

  function checkVariants(sk: string, { variants }: Environment): void {
    const names = variants.map(({ name }) => name);
    const sum = variants.reduce((total, { weight }) => total + weight, 0);
    if (String([...new Set(names)].sort()) !== String(names)) violate(`${sk} has the variants ${names}`);
    if (variants.length > 0 && sum !== 1000) violate(`the weights in ${sk} sum to ${sum}`);
  }

  function checkRevisionGrowsByOne(sk: string, was: Environment, is: Environment): void {
    if (is.revision === was.revision + (differs(was, is) ? 1 : 0)) return;
    violate(`${sk} went from revision ${was.revision} to ${is.revision}`);
  }

  function checkDroppedChanges(attempt: Attempt, was: Environment, is: Environment): void {
    const still = new Set(carriedBy(is).map(({ revision }) => revision));
    const dropped = carriedBy(was).filter(({ revision }) => !still.has(revision));
    for (const change of dropped) report(attempt, wrongDrop(ledger, change, placeOfEnvironment(is)));
  }

  function checkWritesWhatItRead(name: string, sk: string, tableKey: string): void {
    if ((ledger.lives[tableKey] ?? 0) > (ledger.reads[name] ?? 0))
      violate(`${name} wrote to ${sk}, which was made again after it had read it`);
  }

  function checkCopyBeforeDeletion(name: string, sk: string, was: Environment): void {
    if (!ledger.copies[copyOf(was)]) violate(`${name} deleted ${sk}, and kept no copy of it`);
  }

  function environmentChanged(
    attempt: Attempt,
    wish: Wish,
    was: Environment,
    is: Environment,
    life = 0,
  ): void {
    const { name } = attempt;
    const { environment, revision } = was;
    addEffect(attempt, wish, { environment, revision, life });
    checkTarget(name, wish, was);
    checkRevisionOfIfMatch(name, wish, was);
    if (wish.isRefused) violate(`${name} wrote to ${environment}, and was to be refused`);
    checkMovesNoUser(name, wish, was);
    if (wish.trips !== undefined) environmentTripped(attempt, wish, was, is);
    if (wish.undoes) report(attempt, wrongUndo(ledger, wish.undoes.change, was, is));
    checkSwitch(name, wish, is);
    checkChangesOneAspect(name, wish, was, is);
    checkStrategyTrace(name, wish, was, is);
    checkTrace(name, wish, was, is);
  }

  function checkTarget(name: string, { environments }: Wish, { environment, project }: Environment): void {
    if (!environments?.includes(environment)) violate(`${name} wrote to ${environment}`);
    // Every request of the scenarios is to the project default.
    if (project !== "default") violate(`${name} wrote to ${environment} in ${project}`);
  }

  function checkRevisionOfIfMatch(name: string, wish: Wish, { environment, revision }: Environment): void {
    if (wish.revision !== undefined && revision !== wish.revision)
      violate(`${name} wrote over revision ${revision} of ${environment}, which is not that of if-match`);
  }

  function checkMovesNoUser(name: string, { mayMoveNone }: Wish, was: Environment): void {
    if (mayMoveNone && was.enabled) violate(`${name} moved users in ${was.environment}`);
  }

  function checkSwitch(name: string, { enabled }: Wish, is: Environment): void {
    if (enabled !== undefined && is.enabled !== enabled)
      violate(`${name} left ${is.environment} ${is.enabled ? "on" : "off"}`);
  }

  /** A switch changes only the switch, and a patch only the variants or only the strategies. */
  function checkChangesOneAspect(name: string, wish: Wish, was: Environment, is: Environment): void {
    if (wish.undoes || wish.trips !== undefined) return;
    const isFor = wish.leavesStrategyTrace
      ? "strategies"
      : wish.enabled === undefined
        ? "variants"
        : "enabled";
    const others = touchedIn(was, is).filter((aspect) => aspect !== isFor);
    if (others.length > 0) violate(`${name} changed ${others} of ${was.environment} too`);
  }

  function checkStrategyTrace(name: string, wish: Wish, was: Environment, is: Environment): void {
    if (!wish.leavesStrategyTrace) return;
    const [had, has] = [strategyTracesOf(was), strategyTracesOf(is)];
    if (String([...had, wish.id]) !== String(has))
      violate(`${name} made of the strategies ${had} in ${was.environment}: ${has}`);
  }

  function checkTrace(name: string, wish: Wish, was: Environment, is: Environment): void {
    if (!wish.leavesTrace) return;
    const [had, has] = [tracesOf(was), tracesOf(is)];
    if (String([...had, wish.id]) !== String(has))
      violate(`${name} made of ${had} in ${was.environment}: ${has}`);
    if (wish.isIdempotent && had.includes(wish.id)) violate(`${wish.id} is in ${was.environment} twice`);
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

  function addMadeChange(was: Environment, is: Environment): void {
    if (!is.carriedNewest) return;
    const key = `${placeOfEnvironment(is)} ${is.carriedNewest.id}`;
    if (ledger.changes[key]) violate(`the change ${key} was made twice`);
    const made = { change: changeOfItem(is.carriedNewest), before: contentOf(was), after: contentOf(is) };
    const elsewhere = Object.values(ledger.changes).find(({ change }) => change.id === made.change.id);
    // Where the feature is created again, the request makes another change of the same id.
    if (elsewhere && !ledger.isDeleted && stampOf(elsewhere) !== stampOf(made)) {
      violate(`the change ${key} has another time or guard than in another environment`);
    }
    ledger = { ...ledger, changes: { ...ledger.changes, [key]: made } };
  }

  function featureWritten(attempt: Attempt, before?: Item, after?: Item): void {
    const { wish, name } = attempt;
    const [was, is] = [before, after].map((item) => contentsOf<FeatureItem>(item));
    ledger = { ...ledger, updates: ledger.updates + 1, listed: is?.environments ?? [] };
    if (is) ledger = { ...ledger, tagsByEtag: { ...ledger.tagsByEtag, [tagsEtagOf(is)]: namesOf(is) } };
    else ledger = { ...ledger, isDeleted: true };
    if (was && is && was.uid === is.uid) checkRevisionOfTags(name, was, is);
    if (!wish) return;
    if (wish.deletes && !is) {
      checkDeletesOneFeature(name);
      addEffect(attempt, wish, { environment: "feature", revision: ledger.updates, life: 0 });
    } else if (wish.creates && is && !was) {
      ledger = { ...ledger, creators: [...ledger.creators, wish.id] };
      addEffect(attempt, wish, { environment: "feature", revision: ledger.updates, life: 0 });
    } else if (was && is && wish.tags) {
      checkTagsAreAsWanted(name, wish.tags, was, is);
      checkTagsOverwriteNoOther(name, wish, was);
      addEffect(attempt, wish, { environment: "tags", revision: ledger.updates, life: 0 });
    } else {
      violate(`${name} changed the feature's item`);
    }
  }

  function checkRevisionOfTags(name: string, was: FeatureItem, is: FeatureItem): void {
    if (is.earlierWriteIds[0] !== was.changed.id) violate(`${name} lost the id of the update before it`);
    if (is.revision !== was.revision + 1) violate(`${name} left the feature's item at a revision`);
  }

  function checkDeletesOneFeature(name: string): void {
    if (ledger.effects.some(({ attempt }) => attempt === name)) violate(`${name} deleted two features`);
  }

  function checkTagsAreAsWanted(
    name: string,
    { added, removed }: NonNullable<Wish["tags"]>,
    was: FeatureItem,
    is: FeatureItem,
  ): void {
    const wanted = new Set([...Object.keys(was.tags), ...added]);
    for (const tag of removed) wanted.delete(tag);
    if (String([...wanted].sort()) !== namesOf(is)) {
      violate(`${name} made of the tags ${namesOf(was)}: ${namesOf(is)}`);
    }
    if (namesOf(was) === namesOf(is)) violate(`${name} wrote tags that it did not change`);
  }

  function checkTagsOverwriteNoOther(name: string, { project, etag }: Wish, was: FeatureItem): void {
    if (project !== undefined && was.project !== project) {
      violate(`${name} changed the tags of a feature of ${was.project}`);
    }
    if (etag !== undefined && tagsEtagOf(was) !== etag) {
      violate(`${name} wrote over the tags ${was.changed.id}, which are not those of if-match`);
    }
    const isAgain = ledger.effects.some((other) => other.environment === "tags" && other.attempt === name);
    if (isAgain) violate(`${name} changed the tags twice`);
    if (was.uid !== ledger.starts[name]?.uid) {
      violate(`${name} changed the tags of a feature that was made again after it had read it`);
    }
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
    checkRevokedKeyIsRefused(name, reply);
    if (status === 500 || (status === 400 && !wish.isExhaustible)) violate(`${name} received ${status}`);
    checkGivesUpAtDeadline(name, reply);
    checkOutcomeIsKnown(name, wish, reply);
    if (status === 200) {
      checkReplyHasChange(name, wish, reply);
      checkEtagIsOfVariants(name, reply);
      if (wish.undoes) checkUndone(attempt, wish.undoes);
      if (wish.trips !== undefined) checkTripped(attempt);
      if (json.changes) report(attempt, wrongList(ledger, ledger.starts[name]?.revisions, json.changes));
    }
    if (status === 200 || status === 201) report(attempt, unseen(attempt, ledger));
    if (status === 201 && wish.tags) checkTagsOfReply(name, wish.tags, reply);
    checkNamedUndo(name, reply);
    checkRefusal(attempt, wish);
    checkClaims(attempt, wish);
  }

  function checkRevokedKeyIsRefused(name: string, { status }: Reply): void {
    if (ledger.starts[name]?.isRevoked && status !== 401 && status !== 503) {
      violate(`${name} came with a revoked key and received ${status}`);
    }
  }

  function checkGivesUpAtDeadline(name: string, { status, json }: Reply): void {
    const hasGivenUp = status === 503 || json.code === "gave-up";
    if (hasGivenUp && !ledger.late.includes(name)) violate(`${name} has starved: ${json.message}`);
  }

  /** While the table responds, it shows what became of a write, unless the environment or the id of the update is gone. */
  function checkOutcomeIsKnown(name: string, { environments, tags }: Wish, { json }: Reply): void {
    const updates = ledger.updates - (ledger.starts[name]?.updates ?? 0);
    const mayBeLost = ledger.isDeleted || (tags && updates > limits.earlierWriteIds);
    if ((environments || tags) && isUnsure(json) && !mayBeLost && !ledger.late.includes(name)) {
      violate(`${name} does not know its outcome`);
    }
  }

  function checkReplyHasChange(name: string, wish: Wish, { json }: Reply): void {
    if (wish.leavesTrace && !ledger.isReplaced && !tracesOf(json).includes(wish.id)) {
      violate(`${name} received 200, and its change is not in the answer`);
    }
    const isNotSo = (one: { environment: string; enabled: boolean }) =>
      one.enabled !== wish.enabled && !isSwitchedSince(ledger, wish.id, one);
    if (wish.enabled !== undefined && json.environments.some(isNotSo)) {
      violate(`${name} received 200, and not the state that it was to make`);
    }
  }

  function checkEtagIsOfVariants(name: string, { headers, json }: Reply): void {
    const stored = ledger.tracesByEtag[headers.etag?.replaceAll('"', "") ?? ""];
    if (stored !== undefined && json.variants && stored !== String(tracesOf(json))) {
      violate(`${name} received ${tracesOf(json)} with the etag of ${stored}`);
    }
  }

  function checkTagsOfReply(
    name: string,
    { added, removed }: NonNullable<Wish["tags"]>,
    { headers, json }: Reply,
  ): void {
    const has: string[] = json.tags.map(tagMember).sort();
    const stored = ledger.tagsByEtag[headers.etag?.replaceAll('"', "") ?? ""];
    if (stored !== undefined && stored !== String(has)) {
      violate(`${name} received the tags ${has} with the etag of others`);
    }
    const isMade = ledger.effects.some((effect) => effect.attempt === name);
    const isAsSent = added.every((tag) => has.includes(tag)) && !removed.some((tag) => has.includes(tag));
    if (!isMade && !isAsSent) violate(`${name} received 201 with the tags ${has}, and wrote nothing`);
  }

  function checkNamedUndo(name: string, { headers, json: { undoneBy } }: Reply): void {
    const undone = headers["burgee-change"];
    if (undoneBy !== undefined && !isUndoOf(ledger, undoneBy, undone)) {
      violate(`${name} received that ${undone} was undone by ${undoneBy}, which it was not`);
    }
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
      const has = ledger.traces[environment] ?? [];
      const isStill = has.includes(undone) || !isUndoneIn(ledger, environment, change);
      if (isStill) violate(`${name} was acknowledged, and ${undone} is in ${environment}`);
    }
  }

  function checkClaims(attempt: Attempt, wish: Wish): void {
    for (const what of falseClaims(attempt, wish, ledger.effects)) violate(what);
    for (const environment of wish.environments ?? []) {
      const has = ledger.traces[environment] ?? [];
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

function stampOf({ change: { at, guard } }: MadeChange): string {
  return JSON.stringify([at, guard]);
}
