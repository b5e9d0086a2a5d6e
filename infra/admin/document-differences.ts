/** Compares two documents of SDKs: which features come, go and change. */
import { isDeepStrictEqual } from "node:util";
import type { Format } from "../../lib/documents/format.ts";
import { andMore } from "../cli/output.ts";
import { printable } from "../cli/printable.ts";

export interface DocumentDifferences {
  come: string[];
  go: string[];
  change: { feature: string; members: string[] }[];
  /** What differs beside the features, such as segments. */
  rest: string[];
}

/** Undefined for a document that does not exist. */
export function compareDocuments(
  format: Format,
  beforeJson: string | undefined,
  afterJson: string | undefined,
): DocumentDifferences {
  const [before, after] = [parse(format, beforeJson), parse(format, afterJson)];
  const names = [...new Set([...before.features.keys(), ...after.features.keys()])].sort();
  const all = names.map((feature) => {
    const [from, to] = [before.features.get(feature), after.features.get(feature)];
    return { feature, from, to, members: from && to ? differingMembers(from, to) : [] };
  });
  return {
    come: all.filter(({ from }) => !from).map(({ feature }) => feature),
    go: all.filter(({ to }) => !to).map(({ feature }) => feature),
    change: all
      .filter(({ members }) => members.length > 0)
      .map(({ feature, members }) => ({ feature, members })),
    rest: differingMembers(before.rest, after.rest),
  };
}

export function changesNothing({ come, go, change, rest }: DocumentDifferences): boolean {
  return [come, go, change, rest].every(({ length }) => length === 0);
}

const shown = 20;

/** What goes is named in full. */
export function formatDifferences({ come, go, change, rest }: DocumentDifferences): string {
  const changed = change.map(({ feature, members }) => `~ feature "${feature}": ${members.join(", ")}`);
  const lines = [
    ...go.map((feature) => `- feature "${feature}"`),
    ...firstOf(come.map((feature) => `+ feature "${feature}"`)),
    ...firstOf(changed),
    ...rest.map((member) => `~ ${member}`),
  ];
  return lines.map(printable).join("\n");
}

function firstOf(lines: readonly string[]): string[] {
  return lines.length > 0 ? andMore(lines, shown).split("\n") : [];
}

function parse(format: Format, json: string | undefined) {
  if (json === undefined) return { features: new Map<string, object>(), rest: {} };
  const document = JSON.parse(json);
  const { features, flags, ...rest } = document;
  return { features: format.featuresOf(document), rest };
}

/** A switch says in which direction. */
function differingMembers(from: object, to: object): string[] {
  const [before, after] = [new Map(Object.entries(from)), new Map(Object.entries(to))];
  const members = [...new Set([...before.keys(), ...after.keys()])];
  return members
    .filter((member) => !isDeepStrictEqual(before.get(member), after.get(member)))
    .map((member) => {
      const values = [before.get(member), after.get(member)];
      return values.some(isLong) ? member : `${member} ${values.join(" -> ")}`;
    });
}

function isLong(value: unknown): boolean {
  return typeof value === "object" || value === undefined || String(value).length > 40;
}
