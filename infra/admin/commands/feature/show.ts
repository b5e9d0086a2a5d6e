/** `feature show NAME` */
import type { Command } from "commander";
import type { Variant } from "../../../../lib/contract/variants.ts";
import type { Stamp } from "../../../../lib/features/stores.ts";
import type { EnvironmentItem } from "../../../../lib/store/items.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { printable } from "../../../printable.ts";
import { command, type Options, onTable } from "../../command.ts";
import { type FoundFeature, findFeature } from "../../features.ts";
import { toFeature } from "../../plan/content.ts";
import { inOrder } from "../../plan/variant-order.ts";
import { heading } from "../../terminal/colour.ts";
import { print, printJson } from "../../terminal/output.ts";
import { formatTable } from "../../terminal/table.ts";

export function showFeatureCommand(): Command {
  return command(
    "show",
    "Show a feature: its tags, its variants in each environment, and the authors of the last changes",
    {
      examples: [
        ["feature show checkout", "for people"],
        ["feature show checkout --json", "with the request ids of the last changes"],
      ],
    },
  )
    .argument("<name>", "the name of the feature")
    .action(onTable(showFeature));
}

async function showFeature(session: Session, { json }: Options, name: string): Promise<void> {
  const found = await findFeature(session, name);
  if (json) return printJson(toJson(found));
  const { project, tags } = toFeature(found);
  const labels = tags.map(({ type, value }) => `${type}:${value}`);
  const { changed } = found.item;
  print(`feature  ${printable(name)}\nproject  ${printable(project)}`);
  print(`tags     ${printable(labels.join(", ")) || "none"}`);
  if (changed) print(lastChange(changed));
  for (const { environment, variants, revision, changed } of environmentsOf(found)) {
    const last = changed ? `, changed ${changed.at} by ${printable(changed.by)}` : "";
    print(`\n${printable(environment)} (revision ${revision}${last})`);
    if (variants.length === 0) print("no variants");
    else print(formatVariants(variants), heading);
  }
}

function lastChange({ at, by }: Stamp): string {
  return `changed  ${at} by ${printable(by)}`;
}

function formatVariants(variants: readonly Variant[]): string {
  const rows = variants.map(({ name, weight, weightType, stickiness, payload, overrides = [] }) => [
    name,
    String(weight),
    weightType,
    stickiness,
    payload ? `${payload.type} ${payload.value}` : "",
    overrides.map(({ contextName, values }) => `${contextName}: ${values.join(", ")}`).join("; "),
  ]);
  return formatTable(["variant", "weight", "type", "stickiness", "payload", "overrides"], rows);
}

function environmentsOf({ item, environments }: FoundFeature): EnvironmentItem[] {
  return item.environments.flatMap((name) => environments.get(name) ?? []);
}

function toJson(found: FoundFeature): object {
  const { name, project, tags } = toFeature(found);
  const environments = environmentsOf(found).map(({ environment, variants, revision, changed }) => [
    environment,
    { revision, ...(changed && { changed }), variants: variants.map(inOrder) },
  ]);
  const labels = tags.map(({ type, value }) => ({ type, value }));
  const { changed } = found.item;
  return {
    name,
    project,
    tags: labels,
    ...(changed && { changed }),
    environments: Object.fromEntries(environments),
  };
}
