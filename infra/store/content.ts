/** The content of the table, as it is or as it should be, and its conversion to a state file. */
import * as z from "zod/mini";
import type { Tag } from "../../lib/contract/tags.ts";
import { variantSchema } from "../../lib/contract/variants.ts";
import { formatExactly, parseExactly } from "../../lib/documents/exact-json.ts";
import type { Subject } from "../../lib/documents/formats.ts";
import { unpack } from "../../lib/documents/packed.ts";
import type { EnvironmentContent } from "../../lib/features/model.ts";
import { compareCodePoints, sortTags, tagsOf } from "../../lib/features/tag-list.ts";
import { type ApiKeyItem, apiKeyTableKey, type DocumentItem } from "../../lib/store/items.ts";
import type { ApiKeyEntry, State } from "../state/schemas.ts";
import { environmentsOf, type StoredFeature } from "./read-table.ts";

export interface Content {
  /** The environments of each project, in order, by the project's id. */
  projects: ReadonlyMap<string, readonly string[]>;
  features: ReadonlyMap<string, FeatureContent>;
  apiKeys: readonly ApiKeyContent[];
  /** By `documentId`: those that the command has read. */
  documents: ReadonlyMap<string, DocumentContent>;
}

/** A stored document as JSON without layout, with every number as it was. */
export interface DocumentContent extends Subject {
  json: string;
}

export function documentId({ project, environment, format }: Subject): string {
  return JSON.stringify([project, environment, format]);
}

export interface FeatureContent {
  name: string;
  project: string;
  tags: readonly Tag[];
  /** In the project's order. */
  environments: ReadonlyMap<string, EnvironmentContent>;
}

export interface ApiKeyContent extends Omit<ApiKeyEntry, "key" | "keyHash"> {
  keyHash: string;
}

export function keyHashOf({ pk }: ApiKeyItem): string {
  return pk.slice(apiKeyTableKey("").pk.length);
}

export function toApiKey(item: ApiKeyItem): ApiKeyContent {
  const { pk, sk, inList, listedAs, createdAt, revokedAt, ttl, changed, disabled = false, ...rest } = item;
  return { ...rest, keyHash: keyHashOf(item), disabled };
}

export function toFeature(stored: Required<StoredFeature>): FeatureContent {
  const { item } = stored;
  const { name, project } = item;
  const contents = environmentsOf(stored).map(
    ({ environment, enabled, variants }) => [environment, { enabled, variants }] as const,
  );
  return { name, project, tags: sortTags(tagsOf(item.tags)), environments: new Map(contents) };
}

/** Undefined where no document is stored. */
export function toDocumentContent(
  subject: Subject,
  stored: Pick<DocumentItem, "gzip"> | undefined,
): DocumentContent | undefined {
  if (stored?.gzip === undefined) return undefined;
  return { ...subject, json: formatExactly(parseExactly(unpack(stored.gzip)) as object) };
}

/** Sorts everything, so that the same content gives the same text. */
export function toState({ projects, features, apiKeys, documents }: Content): State {
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
          [...environments].map(([environment, { enabled, variants }]) => [
            environment,
            { enabled, variants: variants.map(inOrder) },
          ]),
        ),
      }))
      .sort((left, right) => compareCodePoints(left.name, right.name)),
    apiKeys: apiKeys
      .map(inOrder)
      .sort((left, right) => compareKeys(left, right) || compareCodePoints(left.keyHash, right.keyHash)),
    documents: [...documents]
      .sort(([left], [right]) => compareCodePoints(left, right))
      .map(([, { project, environment, format, json }]) => {
        return { project, environment, format, document: parseExactly(json) };
      }),
  };
}

/** A name has one current key; the others are retiring. */
export function isCurrent({ retiredAt }: Pick<ApiKeyContent, "retiredAt">): boolean {
  return retiredAt === undefined;
}

/** While one key of a name replaces another, there are two. */
export function nameOfTwo(keys: readonly Pick<ApiKeyContent, "name" | "retiredAt">[]): string | undefined {
  const current = keys.filter(isCurrent).map(({ name }) => name);
  return current.find((name, index) => current.indexOf(name) !== index);
}

/** By name; the current key of a name comes before the retiring ones. */
export function compareKeys(left: KeyOrder, right: KeyOrder): number {
  return (
    compareCodePoints(left.name, right.name) || compareCodePoints(left.retiredAt ?? "", right.retiredAt ?? "")
  );
}

type KeyOrder = Pick<ApiKeyContent, "name" | "retiredAt">;

/** An object's members and those of the objects in it, in the order of the schema. */
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
const members = [...membersOf(variantSchema), ...ofKey];

/** Orders members as people write them: DynamoDB returns those of variants, tags and keys in any order. */
export function inOrder<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, members));
}
