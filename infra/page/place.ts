/** Reads the place that an address names: the board, a feature, or the proposal of a link. The fragment is untrusted. */
import { readProposal } from "./proposal.ts";

export type Place =
  | { kind: "board"; project: string }
  | { kind: "feature"; project: string; feature: string }
  | { kind: "proposal"; proposal: NonNullable<ReturnType<typeof readProposal>> }
  | { kind: "unknown" };

export function readPlace(href: string): Place {
  const { hash } = new URL(href);
  const entries = [...new URLSearchParams(hash.slice(1))];
  const names = entries.map(([name]) => name).join();
  const { project = "", feature = "" } = Object.fromEntries(entries);
  if (names === "" || (names === "project" && project)) return { kind: "board", project };
  if (names === "project,feature" && project && feature) return { kind: "feature", project, feature };
  const proposal = readProposal(href);
  return proposal ? { kind: "proposal", proposal } : { kind: "unknown" };
}

/** The fragment of a feature; without a feature, that of the board. */
export function addressOf({ project, feature = "" }: { project: string; feature?: string }): string {
  return `#${new URLSearchParams({ project, ...(feature && { feature }) })}`;
}
