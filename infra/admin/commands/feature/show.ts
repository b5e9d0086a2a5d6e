/** `feature show NAME` */
import type { Command } from "commander";
import type { Variant } from "../../../../lib/contract/variants.ts";
import type { EnvironmentItem } from "../../../../lib/store/items.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { command, type Options, onTable } from "../../command.ts";
import { type FoundFeature, findFeature } from "../../features.ts";
import { toFeature } from "../../plan/target.ts";
import { inOrder } from "../../plan/variant-order.ts";
import { print, printJson } from "../../terminal/output.ts";
import { formatTable } from "../../terminal/table.ts";

export function showFeatureCommand(): Command {
  return command("show", "Show a feature: its tags, and its variants in each environment", {
    examples: [
      ["feature show checkout", "for people"],
      ["feature show checkout --json", "with everything that is known of it"],
    ],
  })
    .argument("<name>", "the name of the feature")
    .action(onTable(showFeature));
}

async function showFeature(session: Session, { json }: Options, name: string): Promise<void> {
  const found = await findFeature(session, name);
  if (json) return printJson(toJson(found));
  const { project, tags } = toFeature(found);
  const labels = tags.map(({ type, value }) => `${type}:${value}`);
  print(`feature  ${name}\nproject  ${project}\ntags     ${labels.join(", ") || "none"}`);
  for (const { environment, variants, revision, changed } of environmentsOf(found)) {
    const last = changed ? `, changed ${changed.at} by ${changed.by}` : "";
    print(`\n${environment} (revision ${revision}${last})`);
    print(variants.length === 0 ? "no variants" : formatVariants(variants));
  }
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
  return { name, project, tags: labels, environments: Object.fromEntries(environments) };
}
