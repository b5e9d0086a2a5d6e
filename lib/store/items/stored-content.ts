/** Turns the state of an environment, and what a change has replaced, into the attributes that are stored, and back. */
import { gunzipSync, gzipSync } from "node:zlib";
import {
  type Aspect,
  aspects,
  contentOf,
  type EnvironmentChange,
  type EnvironmentContent,
  type EnvironmentState,
  emptyContent,
} from "../../features/model.ts";
import { storedBytes } from "../../features/stored-bytes.ts";

/**
 * The attribute of each aspect, in the item and in the index: an attribute of the aspect's name, or `audience`, which
 * several share, because the projection of an index cannot get another once the table exists (infra/aws/core.yml).
 */
const attributeOf = {
  enabled: "enabled",
  variants: "variants",
  strategies: "audience",
  dependencies: "audience",
  targeting: "audience",
} as const satisfies { readonly [A in Aspect]: A | "audience" };

/** The attributes that a query of the index asks for. */
export const contentAttributes: readonly string[] = [...new Set(Object.values(attributeOf))];

type AudienceAspect = { [A in Aspect]: (typeof attributeOf)[A] extends "audience" ? A : never }[Aspect];
/** The aspects that say for whom a feature is on. */
type Audience = Partial<Pick<EnvironmentContent, AudienceAspect>>;

export interface StoredContent extends Pick<EnvironmentContent, Exclude<Aspect, AudienceAspect>> {
  /** The audience, compressed if it has a kilobyte or more and becomes shorter: this saves write units. */
  audience: Audience | string;
}

/** What a change replaced, in the form of the item. */
export type StoredChange = Omit<EnvironmentChange, "old"> & { old: Partial<StoredContent> };

/** The state of an environment, in the form of its item. */
export interface StoredState
  extends StoredContent,
    Omit<EnvironmentState, "carried" | keyof EnvironmentContent> {
  /**
   * The newest of the carried changes. It has an attribute of its own, because the filter of the events cannot index a
   * list (infra/aws/events.yml).
   */
  carriedNewest?: StoredChange;
  /** The other carried changes, newest first. */
  carriedRest: readonly StoredChange[];
}

export function toEnvironmentState(item: StoredState): EnvironmentState {
  const { environment, uid, revision, carriedNewest, carriedRest, droppedIds, top } = item;
  const carried = carriedNewest ? [carriedNewest, ...carriedRest].map(fromStoredChange) : [];
  return { environment, uid, revision, ...contentOfItem(item), carried, droppedIds, top };
}

/** An item that was stored before an aspect existed has the aspect of a new environment. */
export function contentOfItem(stored: StoredContent): EnvironmentContent {
  return contentOf({ ...emptyContent, ...unpack(stored) });
}

export function toStoredContent(content: EnvironmentContent): Required<StoredContent> {
  return toStored(content) as Required<StoredContent>;
}

/** Returns the attributes of the content as they are stored. */
export function pickStoredContent(item: StoredContent): StoredContent {
  const stored = Object.entries(item).filter(([name]) => contentAttributes.includes(name));
  return Object.fromEntries(stored) as unknown as StoredContent;
}

/**
 * Returns the attributes of the content that the change has replaced. A write sends no others: they are stored as they
 * were read, as the revision is the same.
 */
export function changedAttributes(
  content: EnvironmentContent,
  { old }: StoredChange,
): Partial<StoredContent> {
  const stored = Object.entries(toStoredContent(content)).filter(([name]) => name in old);
  return Object.fromEntries(stored);
}

export function toStoredChange({ old, ...change }: EnvironmentChange): StoredChange {
  return { ...change, old: toStored(old) };
}

/** An absent reason is stored as "" (`writeEnvironment`). */
export function fromStoredChange({ old, reason, ...change }: StoredChange): EnvironmentChange {
  return { ...change, ...(reason && { reason }), old: unpack(old) };
}

function toStored(content: Partial<EnvironmentContent>): Partial<StoredContent> {
  const attributes: Record<string, unknown> = {};
  const audience: Record<string, unknown> = {};
  for (const aspect of aspects) {
    if (content[aspect] === undefined) continue;
    (attributeOf[aspect] === "audience" ? audience : attributes)[aspect] = content[aspect];
  }
  return { ...attributes, ...(Object.keys(audience).length > 0 && { audience: packAudience(audience) }) };
}

function unpack({ audience, ...attributes }: Partial<StoredContent>): Partial<EnvironmentContent> {
  return { ...attributes, ...unpackAudience(audience) };
}

/** An audience whose text has this length or more is compressed if it becomes shorter: a write unit is a kilobyte. */
const packedFrom = 1024;

function packAudience(audience: Audience): Audience | string {
  const json = JSON.stringify(audience);
  if (json.length < packedFrom) return audience;
  const packed = gzipSync(json).toString("base64");
  // Text that does not repeat can grow: then the audience stays as it is, whose size the limit of an environment counts.
  return packed.length < storedBytes(audience) ? packed : audience;
}

function unpackAudience(audience: Audience | string = {}): Audience {
  return typeof audience === "string"
    ? JSON.parse(gunzipSync(Buffer.from(audience, "base64")).toString())
    : audience;
}
