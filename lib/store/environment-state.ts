/** An environment as the domain sees it. */
import type { EnvironmentState } from "../features/feature-store.ts";
import type { EnvironmentItem } from "./items.ts";

export function toEnvironmentState({
  environment,
  variants,
  revision,
  writes,
}: EnvironmentItem): EnvironmentState {
  return { environment, variants, revision, writes };
}
