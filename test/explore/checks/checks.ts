/**
 * Checks after every write, with every response and at the end of every schedule what must hold. What
 * the checks remember is in a ledger; the functions of the files beside this one find what is wrong by it.
 */
import type { Item } from "../../../infra/engine/values.ts";
import { etagOfEnvironments, etagOfTags } from "../../../lib/features/etags.ts";
import {
  type AnyItem,
  environmentTableKey,
  type FeatureItem,
  featureTableKey,
  isFeatureItem,
} from "../../../lib/store/items/items.ts";
import { fromStoredChange } from "../../../lib/store/items/stored-content.ts";
import { feature } from "../scenarios/requests.ts";
import { addressOf, type ExploredTable, type TableWrite } from "../table/table.ts";
import type { Attempt, Intent } from "../world/intent.ts";
import { type ChangeOrMarkItem, changeKeyOf, placeOf, wrongItem, wrongTrip, wrongUndo } from "./changes.ts";
import { falseClaims } from "./claims.ts";
import { unseen, wrongCreation, wrongNewFeature, wrongRestoration } from "./creations.ts";
import { contentOf, contentsOf, differs, type Environment, isOther, tracesOf } from "./environment.ts";
import { wrongChange, wrongMadeChange, wrongNextState, wrongVariants } from "./environment-writes.ts";
import {
  tagNamesOf,
  wrongDeletion,
  wrongFeatureRevision,
  wrongTags,
  wrongTagUpdate,
} from "./feature-writes.ts";
import type { Effect, Ledger, Start } from "./ledger.ts";
import { wrongReply } from "./replies.ts";

/** Each call of a check adds to the ledger what it has seen. */
export interface Checks {
  wrote(write: TableWrite, attempt: Attempt): void;
  began(attempt: Attempt, table: ExploredTable): void;
  readTags(attempt: Attempt, table: ExploredTable): void;
  /** An environment's item. */
  read(attempt: Attempt, startsOver: boolean, table: ExploredTable): void;
  timedOut(attempt: Attempt): void;
  replied(attempt: Attempt): void;
  /** When all processes are done. Writes that are still on their way may arrive later, or never. */
  ended(attempts: readonly Attempt[]): void;
  fail(what: string): void;
  ledger(): Ledger;
}

export function checksOn(before: Ledger): Checks {
  let ledger = before;

  function add(members: Partial<Ledger>): void {
    ledger = { ...ledger, ...members };
  }

  function violate(what: string): void {
    add({ violations: [...ledger.violations, what] });
  }

  function report({ name }: Attempt, wrong: readonly string[]): void {
    for (const what of wrong) violate(`${name} ${what}`);
  }

  function wrote({ key: { pk, sk }, before, after }: TableWrite, attempt: Attempt): void {
    if (sk === "FEATURE") featureWritten(attempt, before, after);
    if (pk.startsWith("CHANGE#")) changeOrMarkWritten(attempt, before, after);
    if (pk.startsWith("DELETED#")) copyWritten(after);
    if (sk.startsWith("ENVIRONMENT#")) environmentWritten(attempt, { pk, sk }, before, after);
  }

  function copyWritten(item?: Item): void {
    const copy = contentsOf<Environment>(item);
    if (copy?.revision !== undefined) add({ copies: { ...ledger.copies, [copyOf(copy)]: true } });
  }

  function changeOrMarkWritten(attempt: Attempt, before?: Item, after?: Item): void {
    const [was, is] = [before, after].map((item) => contentsOf<ChangeOrMarkItem>(item));
    if (!is) {
      report(attempt, ["deleted a change"]);
      return;
    }
    report(attempt, wrongItem(ledger, was, is));
    const key = changeKeyOf(is);
    if ("change" in is) add({ changeItems: { ...ledger.changeItems, [key]: true } });
    else add({ marked: { ...ledger.marked, [key]: is.undoneBy } });
  }

  /** Each write is checked by itself, then by what its request wants. An operator's write has no intent. */
  function environmentWritten(
    attempt: Attempt,
    { pk, sk }: TableWrite["key"],
    before?: Item,
    after?: Item,
  ): void {
    const { intent } = attempt;
    const [was, is] = [before, after].map((item) => contentsOf<Environment>(item));
    const tableKey = `${pk} ${sk}`;
    addEnvironment(tableKey, was, is);
    if (is) report(attempt, wrongVariants(is));
    if (was && is && !isOther(was, is)) {
      report(attempt, wrongNextState(ledger, was, is));
      if (differs(was, is)) addMadeChange(attempt, was, is);
    }
    // A creation completes a deletion first.
    if (intent?.deletes || (intent?.creates && !is)) {
      if (is) report(attempt, [`wrote to ${sk}`]);
      if (was && !ledger.copies[copyOf(was)]) report(attempt, [`deleted ${sk}, and kept no copy of it`]);
    } else if (intent?.creates && is) {
      if (was) add({ isDeleted: true });
      const creation = { intent: intent.id, content: JSON.stringify(contentOf(is)) };
      add({ creations: { ...ledger.creations, [sk]: creation } });
      // What is put before the feature's item counts once that is stored: a put may come too late for it.
      const isOfFeature = ledger.listed.length > 0;
      const wrong = intent.restores
        ? wrongRestoration(ledger, isOfFeature ? [is.environment] : [])
        : wrongCreation(ledger, was, is);
      report(attempt, wrong);
    } else if (intent && differs(was, is)) {
      if (was && is) environmentChanged(attempt, intent, was, is, ledger.lives[tableKey]);
      else report(attempt, [`made or removed ${sk}`]);
      const isMadeSince = (ledger.lives[tableKey] ?? 0) > (ledger.reads[attempt.name] ?? 0);
      if (isMadeSince) report(attempt, [`wrote to ${sk}, which was made again after it had read it`]);
    } else if (differs(was, is)) {
      add({ isReplaced: true });
    }
    if (is && !intent?.creates && !intent?.restores)
      add({ newest: { ...ledger.newest, [sk]: JSON.stringify(contentOf(is)) } });
  }

  function addEnvironment(tableKey: string, was: Environment | undefined, is: Environment | undefined): void {
    if (!is) {
      add({ isDeleted: true });
      return;
    }
    if (isOther(was, is)) {
      const made = ledger.made + 1;
      add({ made, lives: { ...ledger.lives, [tableKey]: made } });
    }
    const target = { project: is.project, feature };
    const etags = [undefined, is.environment].map((environment) =>
      etagOfEnvironments({ ...target, environment }, [is]),
    );
    const traces = tracesOf(is);
    const byEtag = Object.fromEntries(etags.map((etag) => [etag, String(traces)]));
    add({
      traces: { ...ledger.traces, [is.environment]: traces },
      tracesByEtag: { ...ledger.tracesByEtag, ...byEtag },
    });
  }

  function addMadeChange(attempt: Attempt, was: Environment, is: Environment): void {
    if (!is.carriedNewest) return;
    const key = `${placeOf(is)} ${is.carriedNewest.id}`;
    const made = { change: fromStoredChange(is.carriedNewest), before: contentOf(was), after: contentOf(is) };
    report(attempt, wrongMadeChange(ledger, key, made));
    add({ changes: { ...ledger.changes, [key]: made } });
  }

  function environmentChanged(
    attempt: Attempt,
    intent: Intent,
    was: Environment,
    is: Environment,
    life = 0,
  ): void {
    const { environment, revision } = was;
    addEffect(attempt, intent, { environment, revision, life });
    report(attempt, wrongChange(intent, was, is));
    if (intent.undoes) report(attempt, wrongUndo(ledger, intent.undoes.change, was, is));
    if (intent.trips === undefined) return;
    report(attempt, wrongTrip(ledger, intent, was, is));
    const place = placeOf(is);
    const revisions = [...(ledger.tripped[place] ?? []), is.carriedNewest?.undoes?.revision ?? 0];
    add({ tripped: { ...ledger.tripped, [place]: revisions } });
  }

  function reservationWritten({ intent }: Attempt): void {
    const { reservedFor, overtaken } = ledger;
    const isTakenOver = reservedFor !== undefined && reservedFor !== intent?.id;
    add({ reservedFor: intent?.id, ...(isTakenOver && { overtaken: [...overtaken, reservedFor] }) });
  }

  function featureWritten(attempt: Attempt, before?: Item, after?: Item): void {
    const { intent } = attempt;
    const [was, is] = [before, after].map(featureOf);
    if (!was && !is) {
      reservationWritten(attempt);
      return;
    }
    add({ reservedFor: undefined });
    add({ updates: ledger.updates + 1, listed: is?.environments ?? [] });
    if (is) add({ tagsByEtag: { ...ledger.tagsByEtag, [etagOfTags(is)]: tagNamesOf(is) } });
    else add({ isDeleted: true });
    if (was && is && was.uid === is.uid) report(attempt, wrongFeatureRevision(was, is));
    if (!intent) return;
    const effect = { revision: ledger.updates, life: 0 };
    if (intent.deletes && !is) {
      report(attempt, wrongDeletion(ledger, attempt));
      addEffect(attempt, intent, { environment: "feature", ...effect });
    } else if (intent.creates && is && !was) {
      report(attempt, wrongNewFeature(ledger, intent, is));
      if (intent.restores) report(attempt, wrongRestoration(ledger, is.environments));
      const created = Object.entries(ledger.creations).map(([sk, { content }]) => [sk, content]);
      if (!intent.restores) add({ newest: { ...ledger.newest, ...Object.fromEntries(created) } });
      add({ creators: [...ledger.creators, intent.id] });
      addEffect(attempt, intent, { environment: "feature", ...effect });
    } else if (was && is && intent.tags) {
      report(attempt, wrongTags(intent.tags, was, is));
      report(attempt, wrongTagUpdate(ledger, attempt, intent, was));
      addEffect(attempt, intent, { environment: "tags", ...effect });
    } else {
      report(attempt, ["changed the feature's item"]);
    }
  }

  function addEffect(
    attempt: Attempt,
    { id }: Intent,
    where: Pick<Effect, "environment" | "revision" | "life">,
  ): void {
    const { name } = attempt;
    add({ effects: [...ledger.effects, { attempt: name, intent: id, ...where }] });
    if (ledger.starts[name]?.isRevoked)
      report(attempt, ["wrote with a key that was revoked before it began"]);
  }

  function began({ name, intent }: Attempt, table: ExploredTable): void {
    const key = { pk: `KEY#${intent?.keyHash}`, sk: "KEY" };
    const isRevoked = intent?.keyHash !== undefined && table.get(addressOf(key))?.revokedAt !== undefined;
    const ofUndone = ledger.effects.filter((effect) => effect.intent === intent?.undoes?.intent);
    const changed = ofUndone.map(({ environment }) => environment);
    const updates = intent?.tags ? ledger.updates : 0;
    addStart(name, { isRevoked, changed, guarded: guardedIn(table, intent), updates });
  }

  function addStart(name: string, start: Start): void {
    add({ starts: { ...ledger.starts, [name]: start } });
  }

  /** It goes on with the feature that it has read first, or ends. */
  function readTags({ name, intent }: Attempt, table: ExploredTable): void {
    const start = ledger.starts[name];
    if (!intent?.tags || !start || start.uid !== undefined) return;
    const item = table.get(addressOf(featureTableKey(feature)));
    const uid = featureOf(item)?.uid;
    addStart(name, { ...start, ...(uid !== undefined && { uid }) });
  }

  /** It goes on from what it has read first, or starts over. */
  function read({ name, intent }: Attempt, startsOver: boolean, table: ExploredTable): void {
    const start = ledger.starts[name];
    if (start && isList(intent))
      addStart(name, { ...start, revisions: start.revisions ?? revisionsIn(table) });
    if (!startsOver && ledger.reads[name] !== undefined) return;
    if (!intent || intent.creates || intent.deletes || intent.reads || intent.tags || isList(intent)) return;
    add({ reads: { ...ledger.reads, [name]: ledger.made } });
  }

  function timedOut({ name }: Attempt): void {
    add({ late: [...ledger.late, name] });
  }

  function replied(attempt: Attempt): void {
    const { intent, reply } = attempt;
    if (!intent || !reply?.status) return;
    report(attempt, wrongReply(ledger, attempt, intent, reply));
    if (reply.status === 200 || reply.status === 201) report(attempt, unseen(attempt, ledger));
    report(attempt, falseClaims(ledger, attempt, intent));
  }

  function ended(attempts: readonly Attempt[]): void {
    for (const attempt of attempts)
      if (attempt.intent && attempt.reply) report(attempt, falseClaims(ledger, attempt, attempt.intent));
  }

  return { wrote, began, readTags, read, timedOut, replied, ended, fail: violate, ledger: () => ledger };
}

/** The changes on top that are under the guard of a trip. */
function guardedIn(table: ExploredTable, intent?: Intent): NonNullable<Start["guarded"]> {
  if (intent?.trips === undefined || intent.isTooLate) return {};
  const items =
    intent.environments?.map((one) => table.get(addressOf(environmentTableKey(feature, one)))) ?? [];
  return Object.fromEntries(
    items.flatMap((item) => {
      const { environment = "", top = null } = contentsOf<Environment>(item) ?? {};
      return top && top.guard?.name === intent.trips ? [[environment, top]] : [];
    }),
  );
}

function featureOf(item?: Item): FeatureItem | undefined {
  const contents = contentsOf<AnyItem>(item);
  return contents && isFeatureItem(contents) ? contents : undefined;
}

const copyOf = ({ uid, revision }: Environment) => `${uid} ${revision}`;

function isList(intent?: Intent): boolean {
  return intent?.http.path.endsWith("/changes") ?? false;
}

/** The revision of each environment. */
function revisionsIn(table: ExploredTable): Readonly<Record<string, number>> {
  const items = [...table.values()].flatMap((item) => contentsOf<Environment>(item) ?? []);
  const environments = items.filter(({ sk }) => sk.startsWith("ENVIRONMENT#"));
  return Object.fromEntries(environments.map(({ environment, revision }) => [environment, revision]));
}
