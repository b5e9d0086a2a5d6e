/** What the page knows and shows. Nothing here draws, sends or stores. */
import { type Board, emptyBoard } from "./board-state.ts";
import type { Content, Flag } from "./load.ts";
import { applied, readPatch } from "./patch.ts";
import { type Draft, newKey } from "./request.ts";
import { named, type Reply } from "./send.ts";

/** What a dry run said of a draft. */
export interface Plan {
  draft: Draft;
  reply: Reply;
}

/** What came of a request that was to write. */
export interface Result extends Plan {
  /** Where it was to write. */
  where: readonly string[];
}

export interface State {
  key: string;
  project: string;
  /** "": the board is shown. */
  feature: string;
  board: Board;
  flag: Flag | undefined;
  /** The change that is being written, of this feature or of another one. */
  draft: Draft | undefined;
  /** Drafts that others have replaced; the last one comes back first. */
  aside: readonly Draft[];
  plan: Plan | undefined;
  result: Result | undefined;
  /** The address of another link that was opened in this tab, until the user has decided about it. */
  link: string;
  isBadLink: boolean;
  isSending: boolean;
}

/** Holds the state, and draws each new one. */
export interface Holder {
  readonly state: State;
  update(changed: State): void;
}

export const firstState: State = {
  key: "",
  project: "default",
  feature: "",
  board: emptyBoard,
  flag: undefined,
  draft: undefined,
  aside: [],
  plan: undefined,
  result: undefined,
  link: "",
  isBadLink: false,
  isSending: false,
};

/** The draft, if it belongs to what is shown. */
export function shownDraft({ draft, project, feature }: State): Draft | undefined {
  if (draft?.project !== project) return undefined;
  return (feature === "" ? draft.isOfBoard : draft.feature === feature) ? draft : undefined;
}

/** What the dry run of the draft said, once it is there. */
export function planOf({ plan }: State, draft: Draft | undefined): Reply | undefined {
  return plan && plan.draft.idempotencyKey === draft?.idempotencyKey ? plan.reply : undefined;
}

/** Another draft takes the place of the one that is there, which comes back afterwards unless it is empty. */
export function beginning(state: State, draft: Draft): State {
  const { draft: before, aside } = state;
  const isKept = before && (before.feature !== draft.feature || !before.isOfBoard) && !isEmpty(before);
  return {
    ...state,
    draft,
    aside: isKept ? [...aside, before] : aside,
    plan: undefined,
    result: undefined,
  };
}

export function isEmpty({ text, undo }: Draft): boolean {
  return undo === "" && ["", "[]"].includes(text.trim());
}

/** A changed patch is another request, and no proposal. */
export function edited(draft: Draft, changed: Partial<Draft>): Draft {
  const isOther = ["text", "environment", "undo"].some((name) => name in changed);
  return {
    ...draft,
    proposed: "",
    ...(isOther && { idempotencyKey: newKey(), isSent: false }),
    ...changed,
  };
}

/** The draft is done or discarded. */
export function ending(state: State): State {
  return { ...state, draft: state.aside.at(-1), aside: state.aside.slice(0, -1), plan: undefined };
}

/** Opens the board, or a feature, with the draft that it has. */
export function showing(state: State, project: string, feature: string): State {
  const all = draftsOf(state).filter(({ isOfBoard }) => !isOfBoard);
  const isOwn = (each: Draft) => each.project === project && each.feature === feature;
  const own = all.findLast(isOwn);
  const rest = all.filter((each) => each !== own);
  const isSame = state.project === project && state.feature === feature;
  return {
    ...state,
    project,
    feature,
    draft: own ?? rest.at(-1),
    aside: own ? rest : rest.slice(0, -1),
    flag: isSame || state.flag?.name === feature ? state.flag : undefined,
    plan: isSame ? state.plan : undefined,
    result: isSame ? state.result : undefined,
    isBadLink: false,
    link: "",
  };
}

export function draftsOf({ draft, aside }: State): readonly Draft[] {
  return [...aside, ...(draft ? [draft] : [])];
}

/** Each environment as the draft leaves it: by the difference that the server says, or as far as the page can tell. */
export function contentsAfter(state: State): readonly Content[] {
  const draft = shownDraft(state);
  const { environments = [] } = state.flag ?? {};
  if (!draft) return environments;
  const plan = planOf(state, draft);
  return environments.map((stored) => {
    const { environment } = stored;
    const planned = plan && named(plan.environments, environment);
    if (planned?.difference) return applied(stored, planned.difference) ?? stored;
    const isInScope = ["", environment].includes(draft.environment) && draft.undo === "";
    return (isInScope && applied(stored, readPatch(draft.text))) || stored;
  });
}
