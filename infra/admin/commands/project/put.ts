/** `project put ID ENV...` */
import type { Command } from "commander";
import { UsageError } from "../../../refusal.ts";
import { projectStateSchema } from "../../../state/state.ts";
import type { WantedFeature } from "../../../store/stored.ts";
import { carryOut } from "../../carry-out.ts";
import { command, type Options, onTable } from "../../command.ts";
import type { OperatorSession } from "../../operator.ts";
import { planChanges } from "../../plan/changes.ts";
import { type Content, toContent } from "../../plan/content.ts";
import { requireConsistent } from "../../plan/require-consistent.ts";
import { readAll } from "../../read-all.ts";
import { requireValidState } from "../../require-valid-state.ts";

const details = `
The environments are all that the project has, in this order; a patch responds with the first one's variants.
A new environment of an existing project is added to all of its features, without variants. An environment that
a feature still has cannot be left out.`;

export function putProjectCommand(): Command {
  return command("put", "Create a project, or set its environments", {
    details,
    examples: [["project put default development staging production", "three environments, in this order"]],
  })
    .argument("<id>", "the project")
    .argument("<environments...>", "its environments, in order")
    .option("--dry-run", "print the differences, and change nothing")
    .action(onTable(putProject, { mayCreate: true }));
}

async function putProject(
  session: OperatorSession,
  options: Options,
  id: string,
  environments: string[],
): Promise<void> {
  refuseInvalid(id, environments);
  const stored = await readAll(session);
  const now = toContent(stored);
  const target = withProject(now, id, environments);
  requireConsistent(now, target);
  const { changes } = planChanges(stored, target);
  // The project comes last, so that a run after an interruption adds the environment to the remaining features.
  const plan = { changes: changes.reverse(), unchanged: changes.length === 0 ? 1 : 0 };
  await carryOut(session, plan, options);
}

function withProject(now: Content, id: string, environments: readonly string[]): Content {
  const before = now.projects.get(id);
  const added = before ? environments.filter((one) => !before.includes(one)) : [];
  const features = [...now.features].map(([name, feature]) => {
    return [name, feature.project === id ? inOrder(feature, environments, added) : feature] as const;
  });
  return {
    ...now,
    projects: new Map([...now.projects, [id, environments]]),
    features: new Map(features),
  };
}

/** Keeps the environments that were left out, so that they are refused. */
function inOrder(
  feature: WantedFeature,
  environments: readonly string[],
  added: readonly string[],
): WantedFeature {
  const has = new Set([...feature.environments.keys(), ...added]);
  const order = [...new Set([...environments, ...has])].filter((name) => has.has(name));
  return {
    ...feature,
    environments: new Map(order.map((name) => [name, feature.environments.get(name) ?? []])),
  };
}

function refuseInvalid(id: string, environments: readonly string[]): void {
  requireValidState("project", projectStateSchema, { id, environments });
  const twice = environments.find((name, index) => environments.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`environment "${twice}" is listed twice`);
}
