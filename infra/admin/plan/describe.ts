/** Describes a change as data: the action, its subject, and each difference with the old and the new value. */
import { isDeepStrictEqual } from "node:util";
import type { Permit } from "../../../lib/contract/permissions.ts";
import type { Tag } from "../../../lib/contract/tags.ts";
import type { Variant } from "../../../lib/contract/variants.ts";
import { tagMember } from "../../../lib/store/items.ts";
import { keyHashOf, type WantedFeature } from "../../store/stored.ts";
import type { ApiKeyChange, Change } from "./changes.ts";
import { compare } from "./compare.ts";

interface Values {
  project: string;
  tag: Tag;
  environment: readonly Variant[];
  variant: Variant;
  "variant order": readonly string[];
  "environment order": readonly string[];
  environments: readonly string[];
  name: string;
  keyHash: string;
  permissions: readonly Permit[];
  expiresAt: string;
  retiredAt: string;
  disabled: boolean;
}

/** Null stands for what is absent; `where` is the environment. */
interface DifferenceIn<What extends keyof Values> {
  what: What;
  where?: string;
  from: Values[What] | null;
  to: Values[What] | null;
}

export type Difference = { [What in keyof Values]: DifferenceIn<What> }[keyof Values];

export interface Described {
  action: "create" | "update" | "remove";
  kind: Change["kind"];
  name: string;
  differences: Difference[];
}

export function describe(change: Change): Described {
  const { kind, name, before, after } = change;
  if (!after) return { action: "remove", kind, name, differences: [] };
  return { action: before ? "update" : "create", kind, name, differences: differencesOf(change) };
}

/**
 * Whether the change removes something, or revokes a key, so that `apply` asks for confirmation. Variants count where the
 * file may lack them: without --prune it names the list that replaces them.
 */
export function removesSomething({ action, differences }: Described, { prune = false } = {}): boolean {
  const removable = ["tag", "environment", ...(prune ? ["variant"] : [])];
  const isRemoval = ({ what, from, to }: Difference) => {
    if (what === "environments") return from?.some((name) => !to?.includes(name));
    return what === "keyHash" || (removable.includes(what) && to === null);
  };
  return action === "remove" || differences.some(isRemoval);
}

function differencesOf(change: Change): Difference[] {
  if (change.kind === "apiKey") return ofKey(change);
  if (change.kind === "project") return changed("environments", change.before, change.after);
  const { before, after } = change;
  const byMember = ({ tags }: Pick<WantedFeature, "tags"> = { tags: [] }) =>
    new Map(tags.map((tag) => [tagMember(tag), tag]));
  const tags = compare(byMember(before), byMember(after));
  return [
    ...changed("project", before?.project, after?.project),
    ...tags.flatMap((tag) => changed("tag", tag.before, tag.after)),
    ...ofEnvironments(before?.environments ?? new Map(), after?.environments ?? new Map()),
  ];
}

function changed<What extends keyof Values>(
  what: What,
  from: Values[What] | undefined,
  to: Values[What] | undefined,
  where?: string,
): DifferenceIn<What>[] {
  if (isDeepStrictEqual(from, to)) return [];
  return [{ what, ...(where !== undefined && { where }), from: from ?? null, to: to ?? null }];
}

function ofEnvironments(
  before: WantedFeature["environments"],
  after: WantedFeature["environments"],
): Difference[] {
  const all = compare(before, after);
  const whole = all.filter((one) => !one.before || !one.after);
  const isReordered = before.size > 0 && whole.length === 0;
  return [
    ...whole.flatMap((one) => changed("environment", one.before, one.after, one.name)),
    ...all.flatMap((one) => (one.before && one.after ? ofVariants(one.name, one.before, one.after) : [])),
    ...(isReordered ? changed("environment order", [...before.keys()], [...after.keys()]) : []),
  ];
}

function ofVariants(where: string, before: readonly Variant[], after: readonly Variant[]): Difference[] {
  const byName = (variants: readonly Variant[]) => new Map(variants.map((one) => [one.name, one]));
  const [from, to] = [byName(before), byName(after)];
  const variants = compare(from, to).flatMap((one) => changed("variant", one.before, one.after, where));
  return variants.length > 0 ? variants : changed("variant order", [...from.keys()], [...to.keys()], where);
}

function ofKey({ before, after, leaving }: ApiKeyChange): Difference[] {
  return [
    ...(before ? changed("name", before.name, after?.name) : []),
    ...leaving.flatMap((key) => changed("keyHash", keyHashOf(key), after?.keyHash)),
    ...changed("permissions", before?.permissions, after?.permissions),
    ...changed("expiresAt", before?.expiresAt, after?.expiresAt),
    ...changed("retiredAt", before?.retiredAt, after?.retiredAt),
    ...(before ? changed("disabled", before.disabled, after?.disabled) : []),
  ];
}
