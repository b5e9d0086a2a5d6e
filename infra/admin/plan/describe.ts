/** A change in words: what becomes of which thing, and below it each difference. */
import { isDeepStrictEqual } from "node:util";
import { printable } from "../../printable.ts";
import type { NewApiKey } from "../../store/new-items.ts";
import { formatPermit } from "../permits.ts";
import type { Change } from "./changes.ts";
import { featureDifferences } from "./describe-feature.ts";

export interface Described {
  action: "create" | "update" | "remove";
  kind: Change["kind"];
  name: string;
  differences: string[];
}

const signs = { create: "+", update: "~", remove: "-" };
const kinds = { project: "project", feature: "feature", apiKey: "key" };

export function describe(change: Change): Described {
  const { kind, name } = change;
  const action = !change.before ? "create" : !change.after ? "remove" : "update";
  return { action, kind, name, differences: action === "remove" ? [] : differences(change) };
}

export function format({ action, kind, name, differences }: Described): string {
  const lines = [`${signs[action]} ${kinds[kind]} "${name}"`, ...differences.map((line) => `    ${line}`)];
  return lines.map(printable).join("\n");
}

function differences(change: Change): string[] {
  if (change.kind === "feature") return featureDifferences(change.before, change.after);
  if (change.kind === "apiKey") return keyDifferences(change.before, change.after);
  const { before, after = [] } = change;
  const was = before ? `${list(before)} -> ` : "";
  return [`environments: ${was}${list(after)}`];
}

function keyDifferences(before: NewApiKey | undefined, after: NewApiKey | undefined): string[] {
  if (!after) return [];
  const isOther = <Member extends keyof NewApiKey>(member: Member) =>
    !isDeepStrictEqual(before?.[member], after[member]);
  return [
    ...(before && isOther("name") ? [`was named "${before.name}"`] : []),
    ...(before && isOther("keyHash") ? ["another key: the old one is revoked"] : []),
    ...(isOther("permissions") ? [`permissions: ${list(after.permissions.map(formatPermit))}`] : []),
    ...(isOther("expiresAt") ? [`expires: ${after.expiresAt ?? "never"}`] : []),
    ...(isOther("retiredAt")
      ? [after.retiredAt ? `retiring since ${after.retiredAt}` : "current again"]
      : []),
    ...(before && isOther("disabled") ? [after.disabled ? "disabled" : "enabled"] : []),
  ];
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.join(", ");
}
