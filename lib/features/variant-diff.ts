/** The JSON Patch that leads from one list of variants to another, in terms of variants: for a person to read. */
import { isDeepStrictEqual } from "node:util";
import { formatPointer } from "../contract/json-pointer.ts";
import type { VariantChange } from "../contract/responses.ts";
import type { Variant, VariantForm } from "../contract/variants.ts";
import { withoutName } from "./variant-list.ts";

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

/** From the front: each place keeps its variant, or gets it moved or added; removes variants that are not in the target. */
function changesByIndex(before: readonly Variant[], after: readonly Variant[]): VariantChange[] {
  const changes: VariantChange[] = [];
  const list = [...before];
  const wanted = new Set(after.map(({ name }) => name));
  const removeUnwanted = (index: number) => {
    for (let here = list[index]; here && !wanted.has(here.name); here = list[index]) {
      list.splice(index, 1);
      changes.push({ op: "remove", path: `/${index}` });
    }
  };
  after.forEach((variant, index) => {
    removeUnwanted(index);
    const from = indexOf(list, variant.name, index);
    const [found] = from === undefined ? [] : list.splice(from, 1);
    list.splice(index, 0, variant);
    wanted.delete(variant.name);
    if (!found) changes.push({ op: "add", path: `/${index}`, value: variant });
    else {
      if (from !== index) changes.push({ op: "move", from: `/${from}`, path: `/${index}` });
      changes.push(...memberChanges(found, variant, `/${index}`));
    }
  });
  removeUnwanted(after.length);
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
