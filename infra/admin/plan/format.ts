/** Formats a described change for a terminal: a line for the action, and below it each difference. */
import type { Variant } from "../../../lib/contract/variants.ts";
import { printable } from "../../printable.ts";
import { formatPermit } from "../permits.ts";
import type { Described, Difference } from "./describe.ts";

const signs = { create: "+", update: "~", remove: "-" };
const kinds = { project: "project", feature: "feature", apiKey: "key" };

export function format({ action, kind, name, differences }: Described): string {
  const lines = differencesOf(differences).map((line) => `    ${line}`);
  return [`${signs[action]} ${kinds[kind]} "${name}"`, ...lines].map(printable).join("\n");
}

/** One line for each difference; the variants of an environment share one. */
function differencesOf(differences: readonly Difference[]): string[] {
  const lines: string[] = [];
  let environment: string | undefined;
  for (const difference of differences) {
    const isVariant = difference.what === "variant";
    if (isVariant && difference.where === environment) lines.push(`${lines.pop()}, ${line(difference)}`);
    else if (isVariant) lines.push(`~ environment "${difference.where}": ${line(difference)}`);
    else lines.push(line(difference));
    environment = isVariant ? difference.where : undefined;
  }
  return lines;
}

function line(difference: Difference): string {
  const { what } = difference;
  switch (what) {
    case "project":
      return `project: ${difference.from === null ? "" : `"${difference.from}" -> `}"${difference.to}"`;
    case "environments":
      return `environments: ${difference.from ? `${list(difference.from)} -> ` : ""}${list(difference.to)}`;
    case "environment order":
      return `order: ${difference.to.join(", ")}`;
    case "tag": {
      const { from, to } = difference;
      const tag = to ?? from;
      return `${to ? "+" : "-"} tag "${tag?.type}:${tag?.value}"`;
    }
    case "environment": {
      const { where, to } = difference;
      return to ? `+ environment "${where}": ${variantsOf(to)}` : `- environment "${where}"`;
    }
    case "variant":
      return variant(difference.from, difference.to);
    case "variant order":
      return `~ environment "${difference.where}": variants reordered`;
    case "name":
      return `was named "${difference.from}"`;
    case "keyHash":
      return "another key: the old one is revoked";
    case "permissions":
      return `permissions: ${list(difference.to.map(formatPermit))}`;
    case "expiresAt":
      return `expires: ${difference.to ?? "never"}`;
    case "retiredAt":
      return difference.to === null ? "current again" : `retiring since ${difference.to}`;
    case "disabled":
      return difference.to ? "disabled" : "enabled";
  }
}

function variant(from: Variant | null, to: Variant | null): string {
  if (!to) return `- ${from?.name}`;
  if (!from) return `+ ${to.name} ${to.weight}`;
  return `~ ${to.name}${from.weight === to.weight ? "" : ` ${from.weight} -> ${to.weight}`}`;
}

function variantsOf(variants: readonly Variant[]): string {
  return variants.length === 0
    ? "no variants"
    : variants.map(({ name, weight }) => `${name} ${weight}`).join(", ");
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.join(", ");
}
