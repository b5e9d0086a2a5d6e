/** Makes the table's content what a command wants of it, or prints what that would change. */
import { isDeepStrictEqual } from "node:util";
import type { Omissions } from "../../lib/documents/left-out.ts";
import { confirmed } from "../cli/confirm.ts";
import { andMore, print, printJson } from "../cli/output.ts";
import { printable } from "../cli/printable.ts";
import { Refusal } from "../cli/refusal.ts";
import { danglingReferences } from "../state/state.ts";
import { type Content, toState } from "../store/content.ts";
import { concurrentChange } from "../store/replace-item.ts";
import type { Options } from "./command.ts";
import { formatLeftOut } from "./left-out.ts";
import { readAll } from "./lookup.ts";
import type { OperatorSession } from "./place.ts";
import { type Change, format, kinds, planChanges, removesSomething } from "./plan/changes.ts";
import { makeChanges, type Replan } from "./plan/make-changes.ts";
import { weightHints } from "./plan/weight-hints.ts";

/** Prints and returns the changes that were written or, in a dry run, that would be. */
export async function carryOut(
  session: OperatorSession,
  options: Options & { prune?: boolean },
  toTarget: (now: Content) => Content,
  omissions?: Omissions,
): Promise<readonly Change[]> {
  let now = await readAll(session);
  const planned = plan(now, toTarget);
  const { dryRun = false, json } = options;
  const changes: Change[] = [];
  function report(change: Change): void {
    changes.push(change);
    if (!json) print(format(change));
  }
  if (dryRun) planned.changes.forEach(report);
  else {
    const removals = planned.changes.filter((change) => removesSomething(change, options)).map(format);
    const confirmation = { yes: options.yes, what: removals.join("\n") };
    if (removals.length > 0) await confirmed("Remove or revoke these, for good?", confirmation);
    const replan: Replan = (change, current) => {
      if (isDeepStrictEqual(current.before, change.before)) return change;
      now = withCurrent(now, current);
      const isSame = (one: Change): one is typeof change => one.kind === change.kind && one.id === change.id;
      const again = plan(now, toTarget).changes.find(isSame);
      const isConfirmed =
        options.yes || !again || !removesSomething(again, options) || removals.includes(format(again));
      if (isConfirmed) return again;
      throw new Refusal(`${kinds[change.kind]} "${change.name}": ${concurrentChange().message}`);
    };
    await makeChanges(session, planned.changes, replan, report);
  }
  const unchanged = planned.unchanged + planned.changes.length - changes.length;
  const count = (wanted: Change["action"]) => changes.filter(({ action }) => action === wanted).length;
  const [created, updated, removed] = [count("create"), count("update"), count("remove")];
  const leftOut = omissions?.list();
  const hints = weightHints(changes);
  if (json) {
    const described = changes.map(({ id, before, after, ...change }) => change);
    printJson({ dryRun, created, updated, removed, unchanged, changes: described, hints, leftOut });
    return changes;
  }
  const done = `${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged.`;
  print(dryRun ? `Dry run, nothing was changed: ${done}` : done);
  if (hints.length > 0) print(formatLeftOut(hints, "stored as given"));
  if (leftOut) print(formatLeftOut(leftOut));
  return changes;
}

function plan(now: Content, toTarget: (now: Content) => Content): ReturnType<typeof planChanges> {
  const target = toTarget(now);
  requireConsistent(now, target);
  return planChanges(now, target);
}

/** The content with what is stored now of the subject of a change. */
function withCurrent(content: Content, { kind, id, before }: Change): Content {
  switch (kind) {
    case "project":
      return { ...content, projects: withEntry(content.projects, id, before) };
    case "feature":
      return { ...content, features: withEntry(content.features, id, before) };
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
function requireConsistent(now: Content, after: Content): void {
  const moves = [...after.features.values()].flatMap(({ name, project }) => {
    const from = now.features.get(name)?.project ?? project;
    return from === project ? [] : [`feature "${name}": from project "${from}" to "${project}"`];
  });
  refuse(
    "a feature stays in its project: delete it (`feature delete`), then create it in the other one",
    moves,
  );
  // An interruption may have left dangling references.
  const before = new Set(danglingIn(now));
  refuse(
    "the result would be inconsistent",
    danglingIn(after).filter((line) => !before.has(line)),
  );
}

function refuse(reason: string, found: readonly string[]): void {
  if (found.length === 0) return;
  throw new Refusal(`nothing was changed, because ${reason}:\n${andMore(found.map(printable), 100, "  ")}`);
}

function danglingIn(content: Content): string[] {
  const state = toState(content);
  return [...danglingReferences(state)].map(({ path, message }) => {
    const [, index, ...where] = path;
    return `feature "${state.features[Number(index)]?.name}": ${where.map(String).join("/")} ${message}`;
  });
}
