/** The JSON Patch that leads from one list of variants to another, for a person to read; and the way back from a change. */
import { isDeepStrictEqual } from "node:util";
import { formatPointer, parsePointer } from "../contract/json-pointer.ts";
import type { VariantChange } from "../contract/responses.ts";
import type { Variant, VariantForm } from "../contract/variants.ts";
import { byName, withoutName } from "./variant-list.ts";

export function variantChanges(
  before: readonly Variant[],
  after: readonly Variant[],
  form: VariantForm,
): VariantChange[] {
  return form === "name" ? changesByName(before, after) : changesByIndex(before, after);
}

function changesByName(before: readonly Variant[], after: readonly Variant[]): VariantChange[] {
  const had = new Map(before.map((variant) => [variant.name, variant]));
  const has = new Set(after.map(({ name }) => name));
  return [
    ...before
      .filter(({ name }) => !has.has(name))
      .map(({ name }) => ({ op: "remove" as const, path: formatPointer([name]) })),
    ...after.flatMap((variant): VariantChange[] => {
      const path = formatPointer([variant.name]);
      const old = had.get(variant.name);
      return old ? memberChanges(old, variant, path) : [{ op: "add", path, value: withoutName(variant) }];
    }),
  ];
}

/** Removes variants that are not in the target; then each place keeps its variant, or gets it moved or added. */
function changesByIndex(before: readonly Variant[], after: readonly Variant[]): VariantChange[] {
  const wanted = new Set(after.map(({ name }) => name));
  const list = before.filter(({ name }) => wanted.has(name));
  const changes: VariantChange[] = before
    .flatMap(({ name }, index) => (wanted.has(name) ? [] : [{ op: "remove" as const, path: `/${index}` }]))
    .reverse();
  after.forEach((variant, index) => {
    const path = `/${index}`;
    const from = indexOf(list, variant.name, index);
    const [found] = from === undefined ? [] : list.splice(from, 1);
    list.splice(index, 0, variant);
    if (!found) changes.push({ op: "add", path, value: variant });
    else {
      if (from !== index) changes.push({ op: "move", from: `/${from}`, path });
      changes.push(...memberChanges(found, variant, path));
    }
  });
  return changes;
}

function indexOf(list: readonly Variant[], name: string, from: number): number | undefined {
  for (let index = from; index < list.length; index++) if (list[index]?.name === name) return index;
  return undefined;
}

/** A member that differs is replaced as a whole: it is short, and reads better than its parts would. */
function memberChanges(before: Variant, after: Variant, path: string): VariantChange[] {
  const had = new Map<string, unknown>(Object.entries(before));
  const removed = [...had.keys()].filter((member) => !Object.hasOwn(after, member));
  return [
    ...removed.map((member) => ({ op: "remove" as const, path: `${path}/${member}` })),
    ...Object.entries(after)
      .filter(([member, value]) => !isDeepStrictEqual(value, had.get(member)))
      .map(([member, value]) => ({
        op: had.has(member) ? ("replace" as const) : ("add" as const),
        path: `${path}/${member}`,
        value,
      })),
  ];
}

/** Sets what is at the pointer, or removes it; "" is the whole list. */
type Step = [pointer: string, value?: unknown];

export type WayBack = readonly Step[];

/** What differs by name leads to lists that are sorted by name; an import may have kept another order. */
export function wayBack(after: readonly Variant[], before: readonly Variant[]): WayBack {
  const changes = variantChanges(after, before, "name");
  const steps = changes.map(({ path, value }): Step => (value === undefined ? [path] : [path, value]));
  const isShorter = JSON.stringify(steps).length < JSON.stringify(before).length;
  return isShorter && isDeepStrictEqual(restore(after, steps), before) ? steps : [["", before]];
}

export function restore(after: readonly Variant[], way: WayBack): Variant[] {
  const variants = new Map(after.map((variant) => [variant.name, variant]));
  for (const [pointer, value] of way) {
    if (pointer === "") return value as Variant[];
    const [name = "", member] = parsePointer(pointer);
    const { [member as "payload"]: _, ...rest } = variants.get(name) ?? { name };
    const changed = value === undefined ? rest : { ...variants.get(name), [member ?? ""]: value };
    if (member !== undefined) variants.set(name, changed as Variant);
    else if (value === undefined) variants.delete(name);
    else variants.set(name, { name, ...(value as Omit<Variant, "name">) });
  }
  return [...variants.values()].sort(byName);
}
