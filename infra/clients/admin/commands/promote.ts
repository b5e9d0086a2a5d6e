/** Defines `feature promote`. */
import { isDeepStrictEqual } from "node:util";
import { type Command, InvalidArgumentError } from "commander";
import type { Strategy } from "../../../../lib/contract/strategies.ts";
import { type Aspect, aspects } from "../../../../lib/features/model.ts";
import { parseStrategiesById, strategiesById } from "../../../../lib/features/patch/strategies-by-id.ts";
import { note } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { UsageError } from "../../../cli/refusal.ts";
import type { Api } from "../../api/api.ts";
import { promotionPatch, promotionReason } from "../../api/promotion.ts";
import {
  type FeatureOptions,
  type FoundEnvironment,
  lookUpFeature,
  pathOfFeature,
  requireEnvironment,
} from "../api/find.ts";
import { guardedCommand } from "../change/change-command.ts";
import { makeChange } from "../change/make-change.ts";
import { toMember } from "../change/suggest-member.ts";
import { type CommandOptions, onApi } from "../command.ts";

interface PromoteOptions extends CommandOptions, FeatureOptions {
  from: string;
  to: string;
  only?: readonly Aspect[];
}

const help = `Copy the settings of a feature from one environment to another

The settings are its switch ("enabled"), variants, strategies, dependencies and flagd's targeting, or only those that --only
names. Without --reason, the history says where they are from. The command is refused, even with --yes, if --to was changed after it was read.`;

export function promoteCommand(): Command {
  return guardedCommand("promote", help, [
    ["feature promote checkout --from development --to production", "previews the change, and asks"],
    [
      "feature promote checkout --from development --to production --only variants,strategies",
      "does not switch the feature on or off",
    ],
  ])
    .argument("<name>", "the name of the feature")
    .requiredOption("--from <environment>", "the environment to copy from")
    .requiredOption("--to <environment>", "the environment to change")
    .option("--only <parts>", `only these settings, of ${aspects.join(",")}`, toParts)
    .action(onApi(promote));
}

function toParts(text: string): Aspect[] {
  const named = text.split(",").map((part) => part.trim());
  const known = aspects.filter((part) => named.includes(part));
  if (known.length === named.length) return known;
  throw new InvalidArgumentError(`It must be some of ${aspects.join(",")}.`);
}

async function promote(api: Api, options: PromoteOptions, name: string): Promise<void> {
  const { from, to, only = aspects } = options;
  const settings = settingsInWords(only);
  if (from === to) throw new UsageError("--from and --to are the same environment");
  const { feature } = await lookUpFeature(api, name, options);
  const [source, target] = [requireEnvironment(feature, from), requireEnvironment(feature, to)];
  const differing = only.filter((part) => !isDeepStrictEqual(source[part], target[part]));
  warnOfOrder(source, target, only);
  await makeChange(api, options, {
    method: "PATCH",
    path: pathOfFeature(feature, to),
    body: promotionPatch(differing, inFormOfPatch(source), inFormOfPatch(target)),
    reason: promotionReason(from),
    ifMatch: target.etag,
    title: `Copy ${settings} of "${name}" from ${from} to ${to}`,
    feature: name,
    commandWords: [
      ...["feature", "promote", name, "--from", from, "--to", to],
      ...(options.only === undefined ? [] : ["--only", only.join(",")]),
    ],
    textIfWritten: (where, change) =>
      `Copied ${settings} of "${name}" from ${from} to ${where}: the change ${change}.`,
    textIfUnchanged: `In ${to}, "${name}" already has ${settings} of ${from}.`,
  });
}

function inFormOfPatch(content: FoundEnvironment): Record<string, unknown> {
  return Object.fromEntries(aspects.map((aspect) => [aspect, toMember(aspect, content)]));
}

/** "the variants", "the switch and strategies", "all settings" */
function settingsInWords(only: readonly Aspect[]): string {
  if (only.length === aspects.length) return "all settings";
  const names = only.map((part) => (part === "enabled" ? "switch" : part));
  const [last = "", ...others] = names.toReversed();
  return `the ${[others.toReversed().join(", "), last].filter(Boolean).join(" and ")}`;
}

/**
 * SDKs choose a strategy's variants by their order. A patch by name sends it, unless a name is a whole number: JavaScript
 * puts such members first, so the service decides the order.
 */
function warnOfOrder(source: FoundEnvironment, target: FoundEnvironment, only: readonly Aspect[]): void {
  if (!only.includes("strategies")) return;
  const { value: stored = [] } = parseStrategiesById(strategiesById(source.strategies), target.strategies);
  const namesOf = (variants: Strategy["variants"]) => variants.map(({ name }) => name);
  for (const { id, variants } of source.strategies) {
    const after = stored.find((strategy) => strategy.id === id);
    if (!after || isDeepStrictEqual(namesOf(after.variants), namesOf(variants))) continue;
    const text = `${target.environment}: the variants of strategy "${id}" get another order than in ${source.environment}: other users get them`;
    note(printable(text));
  }
}
