/** The table before a scenario begins, with the items that a state file becomes. */
import { marshall } from "@aws-sdk/util-dynamodb";
import type { Item } from "../../../infra/engine/values.ts";
import type { State } from "../../../infra/state/state-file-schemas.ts";
import { itemsOf } from "../../../infra/store/write-state.ts";
import type { Strategy } from "../../../lib/contract/strategies.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { addressOf, type ExploredTable } from "../table/table.ts";
import { createClock, runAs } from "../world/time.ts";
import { adminKey, feature, limitedKey } from "./requests.ts";

/** The first variant has the list to which every patch of the scenarios appends its id as a trace. */
export const variantsWithTrace = (trace: string): Variant[] => [
  {
    name: "a",
    weight: 1000,
    weightType: "variable",
    stickiness: "default",
    overrides: [{ contextName: "traces", values: [trace] }],
  },
];

export const seededVariants = variantsWithTrace("seed");

const seededStrategies: Strategy[] = [
  {
    id: "s1",
    name: "default",
    sortOrder: 0,
    parameters: {},
    constraints: [{ contextName: "traces", operator: "IN", values: ["seed"] }],
    variants: [],
  },
];

export function stateWith(
  environments: Readonly<Record<string, Variant[]>>,
  strategies: Strategy[] = [],
): State {
  const names = Object.keys(environments);
  const lists = Object.entries(environments).map(([name, variants]) => [
    name,
    { variants, strategies, dependencies: [], targeting: null },
  ]);
  const permissions = [
    { permission: "UPDATE_FEATURE_VARIANTS", project: "default" },
    { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", project: "default", environment: "dev" },
    { permission: "UPDATE_FEATURE", project: "default" },
  ] as const;
  return {
    projects: ["default", "other"].map((id) => ({ id, environments: names })),
    features: [{ name: feature, project: "default", tags: [], environments: Object.fromEntries(lists) }],
    apiKeys: [
      { name: "admin", key: adminKey, permissions: [{ permission: "ADMIN" }], disabled: false },
      { name: "limited", key: limitedKey, permissions: [...permissions], disabled: false },
    ],
  };
}

export const seeded = (environments: readonly string[]): State =>
  stateWith(Object.fromEntries(environments.map((name) => [name, seededVariants])));

export const seededWithStrategies = (environments: readonly string[]): State =>
  stateWith(Object.fromEntries(environments.map((name) => [name, seededVariants])), seededStrategies);

/** `changes` are added to the items that have their keys, or are items of their own. */
export async function storedOf(state: State, changes: readonly SeedItem[] = []): Promise<ExploredTable> {
  const table = new Map<string, Item>();
  const store = (items: readonly SeedItem[]) => {
    for (const item of items) {
      const stored = marshall(item, { removeUndefinedValues: true }) as Item;
      table.set(addressOf(item), { ...table.get(addressOf(item)), ...stored });
    }
  };
  const clock = createClock("seed");
  // Before any caller begins.
  clock.now -= 60_000;
  runAs(clock);
  store(itemsOf(state));
  runAs();
  store(changes);
  return table;
}

export type SeedItem = Parameters<typeof addressOf>[0];
