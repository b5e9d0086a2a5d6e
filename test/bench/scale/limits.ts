/** Describes the limit of each dimension. A write of an environment takes DynamoDB about 5 ms. */

import { storedBytes } from "../../../lib/contract/item-size.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { stateWith } from "../requests.ts";

const [feature] = stateWith({ variants: 500, environments: 1, tags: 2000 }).features;
const [environment] = Object.values(feature?.environments ?? {});
/** In a feature's item each tag is a member named by its type and value. */
const tagBytes = storedBytes(feature?.tags.map(({ type, value }) => `${type}:${value}`)) / 2000;
const variantBytes = storedBytes(environment?.variants) / 500;

const number = (value: number) => value.toLocaleString("en", { maximumSignificantDigits: 1 });
const item = `${limits.itemBytes / 1024} KB an item`;

export const limitOf = {
  variants: `${item}, some ${number(limits.itemBytes / variantBytes)}`,
  environments: `the function's 10 s, some ${number(10_000 / 5)}`,
  tags: `${item}, some ${number(limits.itemBytes / tagBytes)}`,
  operations: `${number(limits.operations)}; longer is a 400`,
  features: "none",
} as const;
