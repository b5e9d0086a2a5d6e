/** Compares an environment before a patch and after it: a column of the preview, in which each variant has its place. */
import type { Variant } from "../../lib/contract/variants.ts";
import { applied, readPatch } from "./patch.ts";
import { isPatch, type PatchRequest } from "./request.ts";
import { type EnvironmentOutcome, named } from "./send.ts";

/** The variants that are folded: those that a patch of others leaves as they are in every environment. */
export function foldedNames(
  before: EnvironmentOutcome[],
  after: EnvironmentOutcome[],
  request: PatchRequest,
): Set<string> {
  return namesThatStay(before.map((stored) => toColumn(stored, after, request)));
}

export type Column = ReturnType<typeof toColumn>;

/** `written` is what the patch leaves, before normalisation. */
export function toColumn(
  stored: EnvironmentOutcome,
  plan: EnvironmentOutcome[],
  { text, form, change, switchTo }: PatchRequest,
) {
  const planned = named(plan, stored.environment) ?? stored;
  const isWritten = planned.outcome === "will be patched" && isPatch({ change, switchTo });
  const written = isWritten ? applied(stored.variants, readPatch(text), form) : [];
  const after = planned.outcome === "not attempted" ? stored.variants : planned.variants;
  const { enabled: was } = stored;
  const enabled = planned.outcome === "will be patched" ? (planned.enabled ?? was) : was;
  return { ...planned, was, enabled, before: stored.variants, after, written, isByIndex: form === "index" };
}

export function variantNames(columns: readonly Column[]): string[] {
  const names = columns.flatMap(({ before, after }) => [...before, ...after].map(({ name }) => name));
  return [...new Set(names)].sort((left, right) => left.localeCompare(right, "en"));
}

/** Empty where nothing changes. */
export function namesThatStay(columns: readonly Column[]): Set<string> {
  const stays = (name: string) =>
    columns.every(({ before, after }) => {
      const [was, is] = [before, after].map((list) => list.find((each) => each.name === name));
      return JSON.stringify(was) === JSON.stringify(is);
    });
  const names = variantNames(columns);
  const staying = names.filter(stays);
  return new Set(staying.length < names.length ? staying : []);
}

/** What is shown of a variant. A default is left out. */
export function membersOf(variant: Variant | undefined): Record<string, string> {
  if (!variant) return {};
  const { name: _, weight, weightType, stickiness, payload, overrides = [], ...rest } = variant;
  rest satisfies Record<string, never>;
  const lines = overrides.map(({ contextName, values }) => `${contextName}: ${values.join(", ")}`);
  return {
    weight: String(weight),
    weightType,
    ...(stickiness !== "default" && { stickiness }),
    ...(payload && { [`payload (${payload.type})`]: payload.value }),
    ...(lines.length > 0 && { overrides: lines.join("\n") }),
  };
}
