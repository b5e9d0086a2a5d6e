/** What the buttons do. */
import type { ListedChange } from "../../lib/contract/changes.ts";
import type { FeatureWithEnvironments } from "../../lib/contract/lists.ts";
import type { Question } from "./board-state.ts";
import type { Half } from "./kept.ts";
import type { Preview } from "./preview.ts";
import type { PatchRequest } from "./request.ts";

export type ListedDifference = ListedChange["environments"][number]["difference"];

/** Of the page of a feature. */
export interface Actions {
  edit(changed: Partial<PatchRequest>): void;
  undo(change: string, environment: string): void;
  /** In one environment, or with "" in all of them. */
  switchTo(to: string, environment: string): void;
  /** Fills the draft with what a change did. Nothing is sent. */
  makeAgain(difference: ListedDifference, environment: string): void;
  backToPatch(): void;
  apply(preview: Preview): Promise<void>;
  leave(half: Half): void;
  /** What other requests have changed was seen. */
  see(): void;
  /** Shows the variants that the patch leaves as they are, or hides them. */
  unfold(): void;
  /** Loads the proposal of a link in place of what is shown. */
  open(link: string): void;
  showHalf(half: Half): void;
  /** Keeps what is shown, and forgets the other link. */
  stay(): void;
}

export interface BoardActions {
  search(search: string): void;
  filter(tag: string): void;
  press(feature: FeatureWithEnvironments, environment: string, enabled: boolean): Promise<void>;
  cancel(): void;
  confirm(question: Question): Promise<void>;
  undoSwitch(question: Question): Promise<void>;
  reload(): void;
}
