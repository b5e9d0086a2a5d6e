/** The state of the board, and each change of it. Draws and sends nothing. */
import type { FeatureWithEnvironments, Project } from "../../../../lib/contract/responses/lists.ts";
import { toListedEnvironment } from "../../../../lib/features/lists/listed-environment.ts";
import { ownMember } from "../own-member.ts";
import type { Failure } from "../requests/exchange.ts";
import type { ShownEnvironment, ShownFeature } from "../requests/shown.ts";
import { strategyList } from "../strategy-list.ts";

/** A feature of the list. */
export interface Row extends Omit<FeatureWithEnvironments, "environments"> {
  environments: readonly RowContent[];
}

/** A feature in an environment, as the list has it. */
export type RowContent = FeatureWithEnvironments["environments"][number];

export interface Filter {
  search: string;
  tag: string;
  environment: string;
  state: "" | "on" | "off" | "differs" | "guarded";
}

export interface Board {
  /** The API key with which the list was loaded. */
  key: string;
  project: string;
  projects: readonly Project[];
  /** The features that are loaded so far. */
  features: readonly Row[];
  /** Counts the loads. A load that another has followed is dropped. */
  loadCount: number;
  /** When the load of the list began. */
  loadedAt: number;
  phase: "idle" | "loading" | "loaded" | "failed";
  /** Why loading has stopped. */
  error: string;
  /** Whether it stopped because the API key is unknown or lacks a permission. */
  isRefused: boolean;
  filter: Filter;
  /** The features that this tab has read or deleted (no row), by name, with when. The list may be older. */
  readHere: Readonly<Record<string, { row: Row | undefined; at: number }>>;
  /** How far the board was scrolled when the user left it for a feature. */
  scrollY: number;
}

/** The index of the list lags about a second behind the table. A list that is loaded this long after a change has the change. */
const mostLagMs = 10_000;

export const noFilter: Filter = { search: "", tag: "", environment: "", state: "" };

export const emptyBoard: Board = {
  key: "",
  project: "",
  projects: [],
  features: [],
  loadCount: 0,
  loadedAt: 0,
  phase: "idle",
  error: "",
  isRefused: false,
  filter: noFilter,
  readHere: {},
  scrollY: 0,
};

export function loadingBoard(board: Board, key: string, project: string, now: number): Board {
  const isSame = board.key === key && board.project === project;
  const { loadCount } = board;
  const rest = isSame ? board : { ...emptyBoard, projects: board.key === key ? board.projects : [] };
  return { ...rest, key, project, loadCount: loadCount + 1, loadedAt: now, phase: "loading", error: "" };
}

export function failedBoard(board: Board, failure: Failure): Board {
  const isForbidden = failure.kind === "error response" && (failure.status === 401 || failure.status === 403);
  const isRefused = failure.kind === "invalid key" || isForbidden;
  return { ...board, phase: "failed", error: failure.error, isRefused };
}

/** When a list is loaded again, its pages replace the old list once they are complete or as long, so that no row jumps. */
export function withPage(board: Board, features: readonly Row[], isLast: boolean): Board {
  const isLonger = features.length >= board.features.length;
  return {
    ...board,
    phase: isLast ? "loaded" : "loading",
    features: isLast || isLonger ? features : board.features,
  };
}

export function withFeature(
  board: Board,
  { project, name, tags, environments, readAt }: ShownFeature,
): Board {
  if (project !== board.project) return board;
  const row = { name, tags, environments: environments.map(toRowContent) };
  return { ...board, readHere: { ...board.readHere, [name]: { row, at: readAt } } };
}

/** Notes that this tab has deleted the feature, which the list may have for a moment. */
export function withoutFeature(board: Board, name: string): Board {
  return { ...board, readHere: { ...board.readHere, [name]: { row: undefined, at: Date.now() } } };
}

export function toRowContent({ environment, ...content }: ShownEnvironment): RowContent {
  const variants = withNames(content.variants);
  const strategies = strategyList(content.strategies).map((each) => ({
    ...each,
    variants: withNames(each.variants),
  }));
  return { environment, ...toListedEnvironment({ ...content, variants, strategies }) };
}

function withNames<Variant>(variants: Readonly<Record<string, Variant>>) {
  return Object.entries(variants).map(([name, variant]) => ({ name, ...variant }));
}

/** Whether a trip of its guard would undo the newest change in effect. */
export function isGuarded({ guard }: RowContent): boolean {
  return guard !== undefined && Date.parse(guard.until) > Date.now();
}

const inNaturalOrder = new Intl.Collator("en", { numeric: true });

/** Returns the rows of the list; a feature that this tab has read since then is as it was read. */
export function rowsOf(board: Board): readonly Row[] {
  const listed = new Set(board.features.map(({ name }) => name));
  const created = Object.keys(board.readHere).flatMap((name) =>
    listed.has(name) ? [] : (newerRead(board, name)?.row ?? []),
  );
  const rows = board.features.flatMap((listed) => {
    const { row } = newerRead(board, listed.name) ?? { row: listed };
    return row ?? [];
  });
  return [...rows, ...created].sort((one, other) => inNaturalOrder.compare(one.name, other.name));
}

/** Returns the names of the features that the list has as they were before a change of this tab, although it was loaded later. */
export function outdatedNames(board: Board): string[] {
  return board.features.flatMap((listed) => {
    const known = newerRead(board, listed.name);
    if (!known?.row || known.at > board.loadedAt) return [];
    return hasContentOf(listed, known.row) ? [] : listed.name;
  });
}

function newerRead({ readHere, loadedAt }: Board, name: string) {
  const known = ownMember(readHere, name);
  return known && known.at > loadedAt - mostLagMs ? known : undefined;
}

/** Whether both have the same in every environment that is listed: a list leaves out environments that do not fit. */
function hasContentOf(listed: Row, known: Row): boolean {
  const isListed = ({ environment }: RowContent) =>
    listed.environments.some((each) => each.environment === environment);
  const comparable = listed.more ? known.environments.filter(isListed) : known.environments;
  return contentText(listed.environments) === contentText(comparable);
}

function contentText(environments: readonly RowContent[]): string {
  return JSON.stringify(environments.map((each) => [each.environment, each.enabled, usersText(each)]));
}

/** Everything that decides which users get what while the feature is on. */
function usersText({ environment: _, enabled: __, guard: ___, ...rest }: RowContent): string {
  return JSON.stringify(Object.entries(rest).sort());
}

/**
 * Each word has to be in the name or in a tag. Without an environment, the state of any environment counts. `confirmed` is
 * the name of a feature that stays in any case.
 */
export function filterRows(
  rows: readonly Row[],
  { search, tag, environment, state }: Filter,
  confirmed?: string,
) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ name, tags, environments }) => {
    const texts = [name, ...tags.map(({ value }) => value)].map((text) => text.toLowerCase());
    const inScope = environments.filter((each) => ["", each.environment].includes(environment));
    const isInState = (each: RowContent) =>
      state === "differs"
        ? differs(each, environments[0])
        : state === "guarded"
          ? isGuarded(each)
          : state === "" || each.enabled === (state === "on");
    return (
      name === confirmed ||
      ((tag === "" || tags.some(({ value }) => value === tag)) &&
        (inScope.some(isInState) || (state === "" && environment === "")) &&
        words.every((word) => texts.some((text) => text.includes(word))))
    );
  });
}

/** Whether an environment differs from the first one. Whether the feature is on does not count, as the switches show that. */
export function differs(content: RowContent, first: RowContent | undefined): boolean {
  return first !== undefined && usersText(content) !== usersText(first);
}
