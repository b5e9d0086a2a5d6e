/** An environment as the domain sees it. */
import type { EnvironmentState, KeyedWrite } from "../features/feature.ts";
import type { EnvironmentItem } from "./items.ts";

export function toEnvironmentState(item: EnvironmentItem): EnvironmentState {
  const { environment, variants, revision, writes, keyed = [] } = item;
  return { environment, variants, revision, writes, keyed: keyed.map(parseKeyedWrite) };
}

/** Three fingerprints in one text: a map would repeat the names of its members in every item. */
export function formatKeyedWrite({ key, body, before }: KeyedWrite): string {
  return [key, body, before].join(".");
}

function parseKeyedWrite(text: string): KeyedWrite {
  const [key = "", body = "", before = ""] = text.split(".");
  return { key, body, before };
}
