/** Makes patches of every size. */

export interface Size {
  variants: number;
  environments: number;
  operations: number;
}

export const small: Size = { variants: 3, environments: 2, operations: 1 };
export const large: Size = { variants: 100, environments: 10, operations: 50 };

/** Mixes the operations that change something; as many variants are added as are removed. */
export function bodyOf({ variants, operations }: Size): string {
  const kinds = [
    (index: number) => ({ op: "replace", path: `/${index % variants}/stickiness`, value: `by-${index}` }),
    (index: number) => ({
      op: "add",
      path: `/${index % variants}/payload`,
      value: { type: "json", value: JSON.stringify({ color: "blue", index }) },
    }),
    (index: number) => ({
      op: "add",
      path: "/-",
      value: {
        name: `added-${index}`,
        weight: 1,
        overrides: [{ contextName: "userId", values: ["1", "2"] }],
      },
    }),
    (index: number) => ({ op: "move", from: `/${variants}`, path: `/${index % variants}` }),
    (index: number) => ({ op: "remove", path: `/${index % variants}` }),
  ];
  const patch = Array.from({ length: operations }, (_, index) => kinds[index % kinds.length]?.(index));
  return JSON.stringify(patch);
}
