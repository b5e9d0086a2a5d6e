/** `feature on | off` */
import type { Command } from "commander";
import type { PlannedOutcome } from "../../../lib/features/outcome.ts";
import { createEnvironmentStore } from "../../../lib/store/environment-store.ts";
import { quoted } from "../../cli/printable.ts";
import { UsageError } from "../../cli/refusal.ts";
import { type CommandOptions, command, onTable, reasonOption } from "../command.ts";
import { findFeature } from "../find.ts";
import { makeChange } from "../make-change.ts";
import type { OperatorSession } from "../place.ts";

interface SwitchOptions extends CommandOptions {
  environment?: string;
  all?: boolean;
}

export function switchCommand(to: "on" | "off"): Command {
  const help = `Switch a feature ${to}, in one environment or in all

Its variants stay as they are. SDKs see it once they load their document again. It is a change like any other:
"feature history" lists it, and "feature undo" takes it back. With --yes, what changes meanwhile does not matter.`;
  return command(to, help, [
    [`feature ${to} checkout --environment production`, "shows what it will do, and asks"],
    [`feature ${to} checkout --all --yes --reason "incident 7"`, "in every environment, in a script"],
  ])
    .argument("<name>", "the name of the feature")
    .option("--environment <name>", "in this environment")
    .option("--all", "in every environment")
    .option("--dry-run", "print what it would do, and change nothing")
    .addOption(reasonOption())
    .option("-y, --yes", "do not ask")
    .action(onTable<SwitchOptions, [string]>((session, options, name) => turn(session, options, name, to)));
}

async function turn(
  session: OperatorSession,
  options: SwitchOptions,
  name: string,
  to: "on" | "off",
): Promise<void> {
  const { environment, all = false } = options;
  if ((environment !== undefined) === all) throw new UsageError("give either --environment or --all");
  const { project } = (await findFeature(session, name)).item;
  const given = environment === undefined ? "--all" : `--environment ${quoted(environment)}`;
  await makeChange(session, createEnvironmentStore(session), options, {
    target: { project, feature: name, environment },
    edit: { kind: "switch", enabled: to === "on" },
    title: `Switch "${name}" ${to}`,
    again: `to switch it ${to}, run: feature ${to} ${quoted(name)} ${given}`,
    toBody,
    done: (where, change) => `Switched "${name}" ${to} in ${where}: the change ${change}.`,
    nothing: `"${name}" is ${to} already.`,
  });
}

/** As the API's. */
function toBody(outcomes: readonly PlannedOutcome[]) {
  const environments = outcomes.map(({ after: { environment, enabled } }) => ({ environment, enabled }));
  return { version: 1, environments };
}
