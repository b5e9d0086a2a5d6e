/** What the board shows, and how each event changes it. Nothing here draws or sends. */
import type { FeatureWithEnvironments, Project } from "../../lib/contract/lists.ts";
import type { PatchRequest } from "./request.ts";
import type { Reply } from "./send.ts";

export interface Board {
  /** The key that it was loaded with. */
  key: string;
  project: string;
  projects: readonly Project[];
  /** In order of name, as far as they are loaded. */
  features: readonly FeatureWithEnvironments[];
  /** Counts the loads: what an older one brings is dropped. */
  run: number;
  /** When the load of the list began. */
  loadedAt: number;
  phase: "idle" | "loading" | "loaded" | "failed";
  /** Why loading has stopped. */
  error: string;
  /** Whether it stopped because the API key is unknown or lacks a permission. */
  isRefused: boolean;
  search: string;
  tag: string;
  question: Question | undefined;
  /** Features as they were read after a change of this tab: the list may be older. */
  changedHere: Readonly<Record<string, { feature: FeatureWithEnvironments; at: number }>>;
  /** Where the user was, for the way back from a feature. */
  scrollY: number;
}

/** A switch that was pressed, until the user has decided and seen what came of it. */
export interface Question {
  request: PatchRequest;
  phase:
    | "previewing"
    | "asking"
    | "already"
    | "sending"
    | "done"
    | "failed"
    | "undoing"
    | "undone"
    | "undo failed";
  plan: Reply | undefined;
  /** What was made, to undo. */
  change: string;
  /** The request that undoes it, once it was sent: a retry has its idempotency key. */
  undo?: PatchRequest;
  hint?: string;
  error: string;
}

/** The index is about a second behind the table. A list that is loaded this much after a change has it. */
const mostLagMs = 10_000;

export const emptyBoard: Board = {
  key: "",
  project: "",
  projects: [],
  features: [],
  run: 0,
  loadedAt: 0,
  phase: "idle",
  error: "",
  isRefused: false,
  search: "",
  tag: "",
  question: undefined,
  changedHere: {},
  scrollY: 0,
};

export function loadingBoard(board: Board, key: string, project: string, now: number): Board {
  const isSame = board.key === key && board.project === project;
  const { run } = board;
  const rest = isSame ? board : { ...emptyBoard, projects: board.key === key ? board.projects : [] };
  return {
    ...rest,
    key,
    project,
    run: run + 1,
    loadedAt: now,
    phase: "loading",
    error: "",
    question: undefined,
  };
}

export function failedBoard(board: Board, { error, status }: { error: string; status: number }): Board {
  return { ...board, phase: "failed", error, isRefused: status === 401 || status === 403 };
}

/** A list that is loaded again replaces the one before as a whole, so that nothing moves meanwhile. */
export function withPage(board: Board, features: readonly FeatureWithEnvironments[], isLast: boolean): Board {
  const isLonger = features.length >= board.features.length;
  return {
    ...board,
    phase: isLast ? "loaded" : "loading",
    features: isLast || isLonger ? features : board.features,
  };
}

export function withFeature(board: Board, feature: FeatureWithEnvironments, at: number): Board {
  return { ...board, changedHere: { ...board.changedHere, [feature.name]: { feature, at } } };
}

/** As this tab knows them best: a list that is a moment behind does not hide a change that was made here. */
export function rowsOf(board: Board): readonly FeatureWithEnvironments[] {
  const { features, changedHere } = board;
  if (Object.keys(changedHere).length === 0) return features;
  return features.map((listed) => knownBetter(board, listed) ?? listed);
}

/** The features of which a list that was loaded after a change of this tab does not have it yet. */
export function namesBehind(board: Board): string[] {
  return board.features.flatMap((listed) => {
    const known = knownBetter(board, listed);
    const isBehind = known && (board.changedHere[listed.name]?.at ?? 0) <= board.loadedAt;
    return isBehind && contentOf(known) !== contentOf(listed) ? listed.name : [];
  });
}

function knownBetter({ changedHere, loadedAt }: Board, { name }: FeatureWithEnvironments) {
  const known = Object.hasOwn(changedHere, name) ? changedHere[name] : undefined;
  return known && known.at > loadedAt - mostLagMs ? known.feature : undefined;
}

const contentOf = ({ environments }: FeatureWithEnvironments) =>
  JSON.stringify(environments.map(({ environment, enabled, variants }) => [environment, enabled, variants]));

/** Every word is in the name or in a tag. */
export function filterFeatures(features: readonly FeatureWithEnvironments[], search: string, tag: string) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && tag === "") return features;
  return features.filter(({ name, tags }) => {
    const texts = [name, ...tags.map(({ value }) => value)].map((text) => text.toLowerCase());
    const hasTag = tag === "" || tags.some(({ value }) => value === tag);
    return hasTag && words.every((word) => texts.some((text) => text.includes(word)));
  });
}

/** A dry run says whether the key may do it, and has the ETag that the request requires. */
export function withPlan(question: Question, plan: Reply): Question {
  const isAlready = plan.environments.every(({ outcome }) => outcome === "unchanged");
  return {
    ...question,
    plan,
    phase: plan.error ? "failed" : isAlready ? "already" : "asking",
    error: plan.error,
  };
}

/** `hint` is what SDKs will not see of it. */
export function withReply(question: Question, isUndo: boolean, { error, change, hint }: Reply): Question {
  if (error) return { ...question, phase: isUndo ? "undo failed" : "failed", error };
  return { ...question, phase: isUndo ? "undone" : "done", change, hint, error: "" };
}
