/** Plans a write again where something else is stored by now, and refuses wanted content that is inconsistent. */
import { isDeepStrictEqual } from "node:util";
import { roomIssue } from "../../../../../lib/features/patch/content-size.ts";
import { ConcurrentChange } from "../../../../../lib/store/replace-item.ts";
import { andMore } from "../../../../cli/output.ts";
import { printable } from "../../../../cli/printable.ts";
import { Refusal } from "../../../../cli/refusal.ts";
import { danglingReferences } from "../../../../state/state-file.ts";
import { type TableContent, toState } from "../../../../store/content.ts";
import type { SortedVariants } from "../../../../store/merge.ts";
import { kinds, type PlannedWrite, planWrites } from "./plan-writes.ts";

export type ToWanted = (now: TableContent) => TableContent & { sorted?: readonly SortedVariants[] };

/**
 * Returns the write as it was planned or, where `current.before` differs, plans it again. Undefined if nothing is left to
 * do.
 */
export type Replan = <One extends PlannedWrite>(planned: One, current: One) => One | undefined;

/** `isPermitted`: whether the user has consented to a write that differs from the planned one. */
export function createReplan(
  planned: TableContent,
  toWanted: ToWanted,
  isPermitted: (write: PlannedWrite) => boolean,
): Replan {
  let now = planned;
  return (write, current) => {
    if (isDeepStrictEqual(current.before, write.before)) return write;
    now = withCurrent(now, current);
    const again = planAgain(now, toWanted(now), write);
    if (!again || isPermitted(again)) return again;
    throw new Refusal(`${kinds[write.kind]} "${write.name}": ${new ConcurrentChange().message}`);
  };
}

/** Compares no more than what the write is about: of thousands of features, many may have to be planned again. */
function planAgain<One extends PlannedWrite>(
  now: TableContent,
  wanted: TableContent,
  write: One,
): One | undefined {
  const before = contentFor(write, now);
  const after = contentFor(write, wanted);
  requireConsistent(before, after);
  const isSame = (one: PlannedWrite): one is One => one.kind === write.kind && one.id === write.id;
  return planWrites(before, after).writes.find(isSame);
}

/** A project is planned with its features. */
function contentFor({ kind, id }: PlannedWrite, content: TableContent): TableContent {
  if (kind === "project") return content;
  const feature = kind === "feature" ? content.features.get(id) : undefined;
  return { ...content, features: new Map(feature && [[id, feature]]) };
}

/** The content with what is stored now of the subject of a write. */
function withCurrent(content: TableContent, { kind, id, before }: PlannedWrite): TableContent {
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

/** Refuses wanted content that would move a feature to another project, or leave one without its project or an environment. */
export function requireConsistent(now: TableContent, after: TableContent, consequence = ""): void {
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
  const had = new Set(oversizedIn(now));
  const oversized = oversizedIn(after).filter((line) => !had.has(line));
  refuse(`${consequence}the result would not fit`, oversized);
}

/** A file may name a part of an environment, which has to fit beside what is stored of the rest. */
function oversizedIn({ features }: TableContent): string[] {
  return [...features.values()].flatMap(({ name, environments }) =>
    [...environments].flatMap(([environment, content]) => {
      const issue = roomIssue(content);
      return issue === undefined ? [] : [`feature "${name}": environments/${environment} ${issue}`];
    }),
  );
}

function refuse(reason: string, found: readonly string[]): void {
  if (found.length > 0) throw new Refusal(`${reason}:\n${andMore(found.map(printable), 100, "  ")}`);
}

function danglingIn(content: TableContent): string[] {
  const state = toState(content);
  return [...danglingReferences(state)].map(({ path, message }) => {
    const [, index, ...where] = path;
    return `feature "${state.features[Number(index)]?.name}": ${where.map(String).join("/")} ${message}`;
  });
}
