/** Makes the table's content what a command wants of it, or prints the differences. */
import { isDeepStrictEqual } from "node:util";
import type { Omissions } from "../../lib/documents/left-out.ts";
import type { Session } from "../../lib/store/session.ts";
import { confirmed } from "../cli/confirm.ts";
import { andMore, print, printJson } from "../cli/output.ts";
import { printable } from "../cli/printable.ts";
import { Refusal } from "../cli/refusal.ts";
import { danglingReferences } from "../state/state.ts";
import { type Content, nameOfTwo, toState } from "../store/content.ts";
import { readApiKeys, readDocuments, untilListed } from "../store/read-content.ts";
import { concurrentChange } from "../store/replace-item.ts";
import { noteUnseen } from "../store/write-unseen.ts";
import type { Options } from "./command.ts";
import { readAll } from "./find.ts";
import { formatLeftOut } from "./left-out.ts";
import type { OperatorSession } from "./place.ts";
import { applyPlan, type Replan } from "./plan/apply-plan.ts";
import { format, kinds, type PlannedWrite, planWrites, removesSomething } from "./plan/plan-writes.ts";
import { weightHints } from "./plan/weight-hints.ts";

interface CarryOutOptions {
  omissions?: Omissions;
  findsLater?: boolean;
  withDocuments?: boolean;
}

/**
 * Prints and returns what was written or, in a dry run, what would be. `findsLater`: looks for what was created meanwhile,
 * and would have been changed too. `withDocuments`: the target has documents.
 */
export async function carryOut(
  session: OperatorSession,
  options: Options & { prune?: boolean },
  toTarget: (now: Content) => Content,
  { omissions, findsLater = false, withDocuments = false }: CarryOutOptions = {},
): Promise<readonly PlannedWrite[]> {
  let now = await readAll(session);
  if (withDocuments) now = { ...now, documents: await readDocuments(session, now.projects) };
  const target = toTarget(now);
  requireConsistent(now, target, "nothing was changed, because ");
  const planned = planWrites(now, target);
  let { unchanged } = planned;
  const { dryRun = false, json } = options;
  const writes: PlannedWrite[] = [];
  function report(write: PlannedWrite): void {
    writes.push(write);
    if (!json) print(format(write));
  }
  if (dryRun) planned.writes.forEach(report);
  else {
    const removals = planned.writes.filter((write) => removesSomething(write, options)).map(format);
    const confirmation = { yes: options.yes, what: removals.join("\n") };
    if (removals.length > 0) await confirmed("Remove or revoke these, for good?", confirmation);
    const replan: Replan = (write, current) => {
      if (isDeepStrictEqual(current.before, write.before)) return write;
      now = withCurrent(now, current);
      const again = planAgain(now, toTarget(now), write);
      const isConfirmed =
        options.yes || !again || !removesSomething(again, options) || removals.includes(format(again));
      if (isConfirmed) return again;
      throw new Refusal(`${kinds[write.kind]} "${write.name}": ${concurrentChange().message}`);
    };
    await applyPlan(session, planned.writes, replan, report);
    await noteUnseenIn(session, writes);
    unchanged += planned.writes.length - writes.length;
    if (findsLater && planned.writes.some(({ action }) => action === "update")) {
      await untilListed();
      now = await readAll(session);
      const later = planWrites(now, toTarget(now)).writes;
      // Not where another command has changed the project since.
      if (later.every(({ kind }) => kind === "feature")) await applyPlan(session, later, replan, report);
    }
    await requireOneKeyEach(session, planned.writes);
  }
  const count = (wanted: PlannedWrite["action"]) => writes.filter(({ action }) => action === wanted).length;
  const [created, updated, removed] = [count("create"), count("update"), count("remove")];
  const leftOut = omissions?.list();
  const hints = weightHints(writes);
  if (json) {
    const described = writes.map(({ id, before, after, ...write }) => write);
    printJson({ dryRun, created, updated, removed, unchanged, changes: described, hints, leftOut });
    return writes;
  }
  const done = `${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged.`;
  print(dryRun ? `Dry run, nothing was changed: ${done}` : done);
  if (hints.length > 0) print(formatLeftOut(hints, "stored as given"));
  if (leftOut) print(formatLeftOut(leftOut));
  return writes;
}

/** Of the places whose documents were written. */
async function noteUnseenIn(session: Session, writes: readonly PlannedWrite[]): Promise<void> {
  for (const { kind, before, after } of writes) {
    const document = kind === "document" ? (after ?? before) : undefined;
    if (document) await noteUnseen(session, document);
  }
}

/** Another command may have made a current key of a name that the plan gives to one. */
async function requireOneKeyEach(session: Session, writes: readonly PlannedWrite[]): Promise<void> {
  const names = new Set(writes.flatMap(({ kind, name, after }) => (kind === "apiKey" && after ? name : [])));
  if (names.size === 0) return;
  const twice = nameOfTwo((await readApiKeys(session)).filter(({ name }) => names.has(name)));
  if (twice !== undefined) throw new Refusal(`${kinds.apiKey} "${twice}": ${concurrentChange().message}`);
}

/** Compares no more than what the write is about: of thousands of features, many may have to be planned again. */
function planAgain<One extends PlannedWrite>(now: Content, target: Content, write: One): One | undefined {
  const before = contentFor(write, now);
  const after = contentFor(write, target);
  requireConsistent(before, after);
  const isSame = (one: PlannedWrite): one is One => one.kind === write.kind && one.id === write.id;
  return planWrites(before, after).writes.find(isSame);
}

/** A project is planned with its features. */
function contentFor({ kind, id }: PlannedWrite, content: Content): Content {
  if (kind === "project") return content;
  const feature = kind === "feature" ? content.features.get(id) : undefined;
  return { ...content, features: new Map(feature && [[id, feature]]) };
}

/** The content with what is stored now of the subject of a write. */
function withCurrent(content: Content, { kind, id, before }: PlannedWrite): Content {
  switch (kind) {
    case "project":
      return { ...content, projects: withEntry(content.projects, id, before) };
    case "feature":
      return { ...content, features: withEntry(content.features, id, before) };
    case "document":
      return { ...content, documents: withEntry(content.documents, id, before) };
    case "apiKey": {
      const others = content.apiKeys.filter(({ keyHash }) => keyHash !== id);
      return { ...content, apiKeys: before ? [...others, before] : others };
    }
  }
}

function withEntry<Value>(map: ReadonlyMap<string, Value>, id: string, value: Value | undefined) {
  const copy = new Map(map);
  if (value === undefined) copy.delete(id);
  else copy.set(id, value);
  return copy;
}

/** Refuses a target that would move a feature to another project, or leave one without its project or an environment. */
function requireConsistent(now: Content, after: Content, consequence = ""): void {
  const moves = [...after.features.values()].flatMap(({ name, project }) => {
    const from = now.features.get(name)?.project ?? project;
    return from === project ? [] : [`feature "${name}": from project "${from}" to "${project}"`];
  });
  const stays =
    "a feature stays in its project: delete it (`feature delete`), then create it in the other one";
  refuse(consequence + stays, moves);
  // An interruption may have left dangling references.
  const before = new Set(danglingIn(now));
  const dangling = danglingIn(after).filter((line) => !before.has(line));
  refuse(`${consequence}the result would be inconsistent`, dangling);
}

function refuse(reason: string, found: readonly string[]): void {
  if (found.length > 0) throw new Refusal(`${reason}:\n${andMore(found.map(printable), 100, "  ")}`);
}

function danglingIn(content: Content): string[] {
  const state = toState(content);
  return [...danglingReferences(state)].map(({ path, message }) => {
    const [list, index, ...where] = path;
    const name = list === "features" ? `feature "${state.features[Number(index)]?.name}"` : "document";
    return `${name}: ${where.map(String).join("/")} ${message}`;
  });
}
