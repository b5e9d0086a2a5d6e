/** Reads the place that an address names: the board, a feature, or the proposal of a link. The fragment is untrusted. */
import { type Proposed, readProposal } from "./draft/proposal.ts";

export type AddressedPlace =
  | { kind: "board"; project: string }
  | { kind: "feature"; project: string; feature: string }
  | { kind: "proposal"; proposal: Proposed }
  | { kind: "unknown"; issue: string };

export function readPlace(href: string): AddressedPlace {
  const { hash } = new URL(href);
  const entries = [...new URLSearchParams(hash.slice(1))];
  const names = entries.map(([name]) => name).join();
  const { project = "", feature = "" } = Object.fromEntries(entries);
  if (names === "" || (names === "project" && project)) return { kind: "board", project };
  if (names === "project,feature" && project && feature) return { kind: "feature", project, feature };
  const proposal = readProposal(href);
  return typeof proposal === "string" ? { kind: "unknown", issue: proposal } : { kind: "proposal", proposal };
}

/** The fragment of a feature; without a feature, that of the board. */
export function addressOf({ project, feature = "" }: { project: string; feature?: string }): string {
  return `#${new URLSearchParams({ project, ...(feature && { feature }) })}`;
}
