/** Defines `push`. */
import type { Command } from "commander";
import { compareCodePoints } from "../../../../lib/code-points.ts";
import type { ServedFeature } from "../../../../lib/documents/format.ts";
import { createOmissions, type Omissions } from "../../../../lib/documents/omissions.ts";
import type { Session } from "../../../../lib/store/dynamodb/session.ts";
import { exitCodes } from "../../../cli/explain.ts";
import { toUnleashAddress } from "../../../cli/options.ts";
import { andMore, print, printJson } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { inOrder } from "../../../store/content.ts";
import { type CommandOptions, command, onTable, requireDryRun } from "../command.ts";
import { requireScope } from "../require-scope.ts";
import { readAll } from "../table/find.ts";
import { formatWrite } from "../table/plan/plan-writes.ts";
import { compareWithContents } from "../unleash/compare.ts";
import { type DifferentFeature, pushAll } from "../unleash/push-features.ts";
import { readContents } from "../unleash/read-server.ts";
import { openUnleash, type UnleashServer } from "../unleash/server.ts";
import { formatLeftOut } from "../words/left-out.ts";

interface PushOptions extends CommandOptions {
  to: string;
  environment: string;
  project?: string;
  exitCode?: boolean;
  strict?: boolean;
}

const help = `Push the variants of an environment, and which features are on, to an Unleash server

The token is in UNLEASH_TOKEN. Variants and switches that differ are overwritten in Unleash, feature by feature, without a
check for concurrent changes there. A feature that is off in Burgee is switched off before its variants are pushed, one that
is on is switched on afterwards. A list is never emptied, features that Unleash lacks are not created, and strategies that
differ stay; each case is reported, and whatever Unleash refuses. After a failure, the next run pushes the rest.

With --strict, the exit code is 1 if Unleash lacks a feature, or keeps variants of a feature that has none in Burgee. With
--dry-run --exit-code, the exit code is 1 in the same cases, else 3 if there is something to push, else 0.`;

export function pushCommand(): Command {
  return command("push", help, [
    ["push --to https://unleash.example.com --environment production --dry-run", "see the differences"],
    ["push --to https://unleash.example.com --environment production", "overwrite what differs"],
  ])
    .requiredOption("--to <url>", "the address of Unleash, without /api", toUnleashAddress)
    .requiredOption("--environment <name>", "the environment, here and in Unleash")
    .option("--project <id>", "only the features of this project")
    .option("--dry-run", "print the differences, and push nothing")
    .option("--strict", "exit with 1 if something here cannot be pushed")
    .option("--exit-code", "with --dry-run: exit with 3 if there are differences")
    .action(onTable(push));
}

async function push(session: Session, options: PushOptions): Promise<void> {
  const { to, environment, project, dryRun = false, exitCode, strict, json } = options;
  requireDryRun(options);
  const server = openUnleash(to);
  const all = await readAll(session);
  requireScope(all.projects, { project, environment });
  const sorted = [...all.features.values()].sort((left, right) => compareCodePoints(left.name, right.name));
  const features = sorted.flatMap(({ name, environments, ...feature }): ServedFeature[] => {
    const content = environments.get(environment);
    const isInScope = project === undefined || project === feature.project;
    if (!content || !isInScope) return [];
    // Unleash gives what is left of an uneven division to the first variants: the heaviest ones come first.
    const variants = content.variants.map(inOrder).sort((left, right) => right.weight - left.weight);
    return [{ ...content, name, project: feature.project, variants }];
  });
  const omissions = createOmissions();
  const { different, unchanged, unpushable } = await findDifferent(server, environment, features, omissions);
  const show = (one: DifferentFeature) => {
    if (!json) print(formatWrite({ action: "update", kind: "feature", ...one }));
  };
  if (dryRun) different.forEach(show);
  const abortReason = dryRun ? undefined : await pushAll(server, environment, different, show);

  const withOutcome = (outcome: DifferentFeature["outcome"]) =>
    different.filter((one) => one.outcome === outcome);
  const failures = createOmissions();
  for (const { name, message = "" } of withOutcome("failed")) {
    if (message !== abortReason) failures.add({ what: "features", why: message, which: name });
  }
  const pushed = withOutcome("pushed").length;
  const failed = withOutcome("failed").length;
  const notAttempted = withOutcome("not attempted").length;
  const leftOut = omissions.list();
  if (json) {
    const described = different.map(({ variants, ...rest }) => rest);
    printJson({ dryRun, pushed, failed, notAttempted, unchanged, features: described, leftOut });
  } else {
    const done = `${pushed} pushed, ${failed} failed, ${notAttempted} not attempted, ${unchanged} unchanged.`;
    print(dryRun ? `Dry run, nothing was pushed: ${notAttempted} differ, ${unchanged} unchanged.` : done);
    const refused = failures.list();
    if (refused.length > 0) print(formatLeftOut(refused, "not pushed"));
    if (leftOut.length > 0) print(formatLeftOut(leftOut, "not as stored"));
  }
  if (abortReason) throw new Refusal(`${abortReason}; run the command again to push the rest`);
  if (failed > 0) throw new Refusal(`${failed} of ${different.length} features were not pushed`);
  if ((strict || exitCode) && unpushable.length > 0) {
    const named = andMore(unpushable.map(printable), 3).replaceAll("\n", ", ");
    throw new Refusal(`${unpushable.length} features cannot be pushed: ${named}`);
  }
  if (exitCode && different.length > 0) process.exitCode = exitCodes.differences;
}

async function findDifferent(
  server: UnleashServer,
  environment: string,
  features: readonly ServedFeature[],
  omissions: Omissions,
): Promise<{ different: DifferentFeature[]; unchanged: number; unpushable: string[] }> {
  const different: DifferentFeature[] = [];
  const unpushable: string[] = [];
  let unchanged = 0;
  for (const project of new Set(features.map((feature) => feature.project))) {
    const contents = await readContents(server, [project], environment);
    const compare = compareWithContents(contents, environment, omissions);
    for (const feature of features.filter((one) => one.project === project)) {
      const { differences, isLeftOut } = compare(feature);
      if (isLeftOut) unpushable.push(feature.name);
      if (differences.length > 0) different.push({ ...feature, differences, outcome: "not attempted" });
      else if (!isLeftOut) unchanged++;
    }
  }
  return { different, unchanged, unpushable };
}
