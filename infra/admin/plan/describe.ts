/** Describes a change as data: the action, its subject, and each difference with the old and the new value. */
import { isDeepStrictEqual } from "node:util";
import type { Permit } from "../../../lib/contract/permissions.ts";
import type { NewApiKey } from "../../store/new-items.ts";
import { keyHashOf } from "../../store/stored.ts";
import type { ApiKeyChange, Change } from "./changes.ts";
import { type FeatureDifference, featureDifferences } from "./describe-feature.ts";

/** Null stands for what is absent. */
export type Difference =
  | FeatureDifference
  | { what: "environments"; from: readonly string[] | null; to: readonly string[] }
  | { what: "name" | "keyHash"; from: string; to: string }
  | { what: "permissions"; from: readonly Permit[] | null; to: readonly Permit[] }
  | { what: "expiresAt" | "retiredAt"; from: string | null; to: string | null }
  | { what: "disabled"; from: boolean; to: boolean };

export interface Described {
  action: "create" | "update" | "remove";
  kind: Change["kind"];
  name: string;
  differences: Difference[];
}

export function describe(change: Change): Described {
  const { kind, name } = change;
  const action = !change.before ? "create" : !change.after ? "remove" : "update";
  return { action, kind, name, differences: action === "remove" ? [] : differences(change) };
}

/**
 * Whether the change removes something, or revokes a key, so that `apply` asks for confirmation. Variants count where the
 * file may lack them: without --prune it names the list that replaces them.
 */
export function removesSomething({ action, differences }: Described, { prune = false } = {}): boolean {
  const removable = ["tag", "environment", ...(prune ? ["variant"] : [])];
  const isRemoval = (difference: Difference) => {
    const { what, to } = difference;
    if (what === "environments") return difference.from?.some((name) => !difference.to.includes(name));
    return what === "keyHash" || (removable.includes(what) && to === null);
  };
  return action === "remove" || differences.some(isRemoval);
}

function differences(change: Change): Difference[] {
  if (change.kind === "feature") return featureDifferences(change.before, change.after);
  if (change.kind === "apiKey") return keyDifferences(change);
  const { before = null, after = [] } = change;
  return [{ what: "environments", from: before, to: after }];
}

function keyDifferences({ before, after, leaving }: ApiKeyChange): Difference[] {
  if (!after) return [];
  const isOther = <Member extends keyof NewApiKey>(member: Member) =>
    !isDeepStrictEqual(before?.[member], after[member]);
  const revoked = leaving.map(
    (key): Difference => ({ what: "keyHash", from: keyHashOf(key), to: after.keyHash }),
  );
  const times = (["expiresAt", "retiredAt"] as const).flatMap((what): Difference[] =>
    isOther(what) ? [{ what, from: before?.[what] ?? null, to: after[what] ?? null }] : [],
  );
  const { permissions, disabled } = after;
  return [
    ...(before && isOther("name") ? [{ what: "name", from: before.name, to: after.name } as const] : []),
    ...revoked,
    ...(isOther("permissions")
      ? [{ what: "permissions", from: before?.permissions ?? null, to: permissions } as const]
      : []),
    ...times,
    ...(before && isOther("disabled")
      ? [{ what: "disabled", from: before.disabled, to: disabled } as const]
      : []),
  ];
}
