/** The JSON Patch that leads from one list of variants to another, in terms of variants: for a person to read. */
import { isDeepStrictEqual } from "node:util";
import type { Change } from "../contract/preview.ts";
import type { Variant } from "../contract/variants.ts";

/** From the front: at each place the variant that belongs there is left, moved or added, and what belongs nowhere goes. */
export function variantChanges(before: readonly Variant[], after: readonly Variant[]): Change[] {
  const changes: Change[] = [];
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
      changes.push(...memberChanges(found, variant, index));
    }
  });
  removeUnwanted(after.length);
  return changes;
}

function indexOf(list: readonly Variant[], name: string, from: number): number | undefined {
  for (let index = from; index < list.length; index++) if (list[index]?.name === name) return index;
  return undefined;
}

/** A member that differs is told as a whole: it is short, and reads better than its parts would. */
function memberChanges(before: Variant, after: Variant, index: number): Change[] {
  const had = new Map<string, unknown>(Object.entries(before));
  const has = Object.entries(after);
  const gone = [...had.keys()].filter((member) => !Object.hasOwn(after, member));
  return [
    ...gone.map((member) => ({ op: "remove" as const, path: `/${index}/${member}` })),
    ...has
      .filter(([member, value]) => !isDeepStrictEqual(value, had.get(member)))
      .map(([member, value]) => ({
        op: had.has(member) ? ("replace" as const) : ("add" as const),
        path: `/${index}/${member}`,
        value,
      })),
  ];
}
