/** Defines the content of the table, as it is stored or as it should be, and converts it to a state file. */
import * as z from "zod/mini";
import { compareCodePoints } from "../../lib/code-points.ts";
import { strategySchema } from "../../lib/contract/strategies.ts";
import type { Tag } from "../../lib/contract/tags.ts";
import { variantSchema } from "../../lib/contract/variants.ts";
import type { EnvironmentContent } from "../../lib/features/model.ts";
import { parseTargeting } from "../../lib/features/model.ts";
import { sortTags, tagsOf } from "../../lib/features/tags/tag-list.ts";
import { type ApiKeyItem, keyHashOf } from "../../lib/store/items/items.ts";
import { contentOfItem } from "../../lib/store/items/stored-content.ts";
import type { FoundFeature } from "../../lib/store/read-items.ts";
import type { ApiKeyEntry, FeatureEntry, State } from "../state/state-file-schemas.ts";
import { environmentsOf } from "./read-table.ts";

export interface TableContent {
  /** The environments of each project, in order, by the project's id. */
  projects: ReadonlyMap<string, readonly string[]>;
  features: ReadonlyMap<string, FeatureContent>;
  apiKeys: readonly ApiKeyContent[];
}

export interface FeatureContent {
  name: string;
  project: string;
  tags: readonly Tag[];
  /** The feature's environments, in the project's order. */
  environments: ReadonlyMap<string, EnvironmentContent>;
}

export interface ApiKeyContent
  extends Omit<ApiKeyEntry, "key" | "keyHash" | "permissions" | "disabled">,
    Required<Pick<ApiKeyEntry, "keyHash" | "permissions" | "disabled">> {}

export function toApiKey(item: ApiKeyItem): ApiKeyContent {
  const {
    pk,
    sk,
    inList,
    listedAs,
    createdAt,
    revokedAt,
    ttl,
    lastWrite,
    log,
    disabled = false,
    ...rest
  } = item;
  return { ...rest, keyHash: keyHashOf(item), disabled };
}

export function toFeature(stored: FoundFeature): FeatureContent {
  const { item } = stored;
  const { name, project } = item;
  const contents = environmentsOf(stored).map((one) => [one.environment, contentOfItem(one)] as const);
  return { name, project, tags: sortTags(tagsOf(item.tags)), environments: new Map(contents) };
}

/** Converts the content to a state whose lists and members are sorted, so that equal contents have equal texts. */
export function toState({ projects, features, apiKeys }: TableContent): State {
  return {
    projects: [...projects]
      .map(([id, environments]) => ({ id, environments: [...environments] }))
      .sort((left, right) => compareCodePoints(left.id, right.id)),
    features: [...features.values()]
      .map(({ name, project, tags, environments }) => ({
        name,
        project,
        tags: tags.map(inOrder),
        environments: Object.fromEntries(
          [...environments].map(([environment, content]) => [environment, toEnvironmentEntry(content)]),
        ),
      }))
      .sort((left, right) => compareCodePoints(left.name, right.name)),
    apiKeys: apiKeys
      .map(inOrder)
      .sort((left, right) => compareKeys(left, right) || compareCodePoints(left.keyHash, right.keyHash)),
  };
}

type EnvironmentEntry = NonNullable<FeatureEntry["environments"]>[string];

/** Names every aspect, because what a file does not name stays as it is stored. */
function toEnvironmentEntry(content: EnvironmentContent): Required<EnvironmentEntry> {
  return {
    enabled: content.enabled,
    variants: content.variants.map(inOrder),
    strategies: content.strategies.map(inOrder),
    dependencies: content.dependencies.map(inOrder),
    targeting: parseTargeting(content.targeting),
  };
}

/** A name has at most one current key. Its other keys are retiring. */
export function isCurrent({ retiredAt }: Pick<ApiKeyContent, "retiredAt">): boolean {
  return retiredAt === undefined;
}

/** Returns a name that has two current keys, as it has while a command replaces one, or after two commands ran at once. */
export function nameOfTwo(keys: readonly Pick<ApiKeyContent, "name" | "retiredAt">[]): string | undefined {
  const current = keys.filter(isCurrent).map(({ name }) => name);
  return current.find((name, index) => current.indexOf(name) !== index);
}

/** Sorts keys by name. The current key of a name comes before the retiring ones. */
export function compareKeys(left: KeyOrder, right: KeyOrder): number {
  return (
    compareCodePoints(left.name, right.name) || compareCodePoints(left.retiredAt ?? "", right.retiredAt ?? "")
  );
}

type KeyOrder = Pick<ApiKeyContent, "name" | "retiredAt">;

/** Returns the members of an object and of the objects in it, in the order of the schema. */
function membersOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodMiniObject) {
    const members = Object.entries<z.core.$ZodType>(schema.shape);
    return members.flatMap(([name, member]) => [name, ...membersOf(member)]);
  }
  if (schema instanceof z.ZodMiniArray) return membersOf(schema.def.element);
  const isWrapped = schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniExactOptional;
  return isWrapped ? membersOf(schema.def.innerType) : [];
}

const ofPermit = ["permission", "project", "environment"];
const ofKey = ["keyHash", "permissions", ...ofPermit, "expiresAt", "retiredAt", "disabled"];
const members = [
  "id",
  "feature",
  "enabled",
  ...membersOf(variantSchema),
  "operator",
  ...membersOf(strategySchema),
  ...ofKey,
];

/** Puts members in the order in which people write them, because DynamoDB returns them in any order. */
export function inOrder<Value extends object>(value: Value): Value {
  const replace = (name: string, given: unknown) => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
    const orderOf = (member: string) => (name === "parameters" ? 0 : members.indexOf(member));
    const entries = Object.entries(given).sort(
      ([one], [other]) => orderOf(one) - orderOf(other) || (one < other ? -1 : 1),
    );
    return Object.fromEntries(entries);
  };
  return JSON.parse(JSON.stringify(value, replace));
}
