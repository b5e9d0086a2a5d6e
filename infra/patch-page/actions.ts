/** What the buttons of the page do. */
import type { PatchRequest, Preview } from "./api.ts";
import type { Half } from "./halves.ts";

export interface Actions {
  edit(changed: Partial<PatchRequest>): void;
  apply(preview: Preview): Promise<void>;
  show(half: Half): void;
  /** Begins a patch of the environment where the half-done patch stopped. */
  fix(environment: string): void;
  leave(half: Half): void;
  /** Previews the undo of a change in an environment, or in all of them. */
  undo(change: string, environment: string): void;
  /** What other requests have changed was seen. */
  see(): void;
}
