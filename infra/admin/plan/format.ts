/** Formats a described change for a terminal: a line for the action, and below it each difference. */
import type { Variant } from "../../../lib/contract/variants.ts";
import { printable } from "../../printable.ts";
import { formatPermit } from "../permits.ts";
import type { Described, Difference } from "./describe.ts";

const signs = { create: "+", update: "~", remove: "-" };
const kinds = { project: "project", feature: "feature", apiKey: "key" };

export function format({ action, kind, name, differences }: Described): string {
  const lines = linesOf(differences).map((line) => `    ${line}`);
  return [`${signs[action]} ${kinds[kind]} "${name}"`, ...lines].map(printable).join("\n");
}

/** One line for each difference; the variants of an environment share one. */
function linesOf(differences: readonly Difference[]): string[] {
  const lines: string[] = [];
  let environment: string | undefined;
  for (const difference of differences) {
    const { what, where } = difference;
    if (what !== "variant") lines.push(line(difference));
    else if (where === environment) lines.push(`${lines.pop()}, ${line(difference)}`);
    else lines.push(`~ environment "${where}": ${line(difference)}`);
    environment = what === "variant" ? where : undefined;
  }
  return lines;
}

function line({ what, where, from, to }: Difference): string {
  switch (what) {
    case "project":
      return `project: "${to}"`;
    case "environments":
      return `environments: ${from ? `${list(from)} -> ` : ""}${list(to)}`;
    case "environment order":
      return `order: ${list(to)}`;
    case "tag": {
      const tag = to ?? from;
      return `${to ? "+" : "-"} tag "${tag?.type}:${tag?.value}"`;
    }
    case "environment":
      return to ? `+ environment "${where}": ${variantsOf(to)}` : `- environment "${where}"`;
    case "variant":
      return variant(from, to);
    case "variant order":
      return `~ environment "${where}": variants reordered`;
    case "name":
      return `was named "${from}"`;
    case "keyHash":
      return "another key: the old one is revoked";
    case "permissions":
      return `permissions: ${list(to?.map(formatPermit))}`;
    case "expiresAt":
      return `expires: ${to ?? "never"}`;
    case "retiredAt":
      return to === null ? "current again" : `retiring since ${to}`;
    case "disabled":
      return to ? "disabled" : "enabled";
  }
}

function variant(from: Variant | null, to: Variant | null): string {
  if (!to) return `- ${from?.name}`;
  if (!from) return `+ ${to.name} ${to.weight}`;
  return `~ ${to.name}${from.weight === to.weight ? "" : ` ${from.weight} -> ${to.weight}`}`;
}

function variantsOf(variants: readonly Variant[]): string {
  return variants.map(({ name, weight }) => `${name} ${weight}`).join(", ") || "no variants";
}

function list(texts: readonly string[] | null = []): string {
  return texts?.join(", ") || "none";
}
