/** `feature show NAME` */
import type { Command } from "commander";
import type { Variant } from "../../../../lib/contract/variants.ts";
import type { Stamp } from "../../../../lib/features/stores.ts";
import type { EnvironmentItem } from "../../../../lib/store/items.ts";
import type { Session } from "../../../../lib/store/session.ts";
import { printable } from "../../../printable.ts";
import type { StoredFeature } from "../../../store/stored.ts";
import { command, type Options, onTable } from "../../command.ts";
import { toFeature } from "../../plan/content.ts";
import { inOrder } from "../../plan/variant-order.ts";
import { findFeature } from "../../read-all.ts";
import { print, printJson, printTable } from "../../terminal/output.ts";
import { formatTags } from "../../terminal/quoted.ts";

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
  const { project, tags } = toFeature(found);
  const { changed } = found.item;
  const environments = environmentsOf(found);
  if (json) {
    const states = environments.map(({ environment, revision, changed, variants }) => {
      return [environment, { revision, changed, variants: variants.map(inOrder) }];
    });
    return printJson({ name, project, tags, changed, environments: Object.fromEntries(states) });
  }
  print(
    `feature  ${printable(name)}\nproject  ${printable(project)}\ntags     ${printable(formatTags(tags))}`,
  );
  if (changed) print(`changed  ${lastChange(changed)}`);
  for (const { environment, variants, revision, changed } of environments) {
    const last = changed ? `, changed ${lastChange(changed)}` : "";
    print(`\n${printable(environment)} (revision ${revision}${last})`);
    const head = ["variant", "weight", "type", "stickiness", "payload", "overrides"];
    printTable(head, variants.map(toRow), "no variants");
  }
}

function lastChange({ at, by }: Stamp): string {
  return `${at} by ${printable(by)}`;
}

function toRow({ name, weight, weightType, stickiness, payload, overrides = [] }: Variant): string[] {
  return [
    name,
    String(weight),
    weightType,
    stickiness,
    payload ? `${payload.type} ${payload.value}` : "",
    overrides.map(({ contextName, values }) => `${contextName}: ${values.join(", ")}`).join("; "),
  ];
}

function environmentsOf({ item, environments }: Required<StoredFeature>): EnvironmentItem[] {
  return item.environments.flatMap((name) => environments.get(name) ?? []);
}
