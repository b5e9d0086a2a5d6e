/** Defines `feature rollout`. */
import { isDeepStrictEqual } from "node:util";
import { type Command, InvalidArgumentError } from "commander";
import { formatPointer } from "../../../../lib/contract/json.ts";
import type { Patch } from "../../../../lib/contract/patch.ts";
import type { Strategy } from "../../../../lib/contract/strategies.ts";
import { lastSortOrder } from "../../../../lib/contract/unleash-rules.ts";
import { activeStrategies } from "../../../../lib/features/active-strategies.ts";
import { didYouMean } from "../../../cli/did-you-mean.ts";
import { commandToPaste } from "../../../cli/how-started.ts";
import { note } from "../../../cli/output.ts";
import { printable } from "../../../cli/printable.ts";
import { Refusal } from "../../../cli/refusal.ts";
import { type Api, requireEtag } from "../../api/api.ts";
import { newRollout } from "../../api/new-rollout.ts";
import {
  environmentGiven,
  type FeatureOptions,
  type FoundEnvironment,
  lookUpFeature,
  pathOfFeature,
  requireEnvironment,
  type WhereOptions,
} from "../api/find.ts";
import { commandInEnvironments, environmentWords } from "../change/change-command.ts";
import { makeChange } from "../change/make-change.ts";
import { type CommandOptions, onApi } from "../command.ts";
import { strategySentence } from "../words/strategy-sentence.ts";

type RolloutOptions = CommandOptions & FeatureOptions & WhereOptions & { strategy?: string };

const help = `Set the share of users who get a feature, in one environment or in all

The share is the rollout of a strategy "flexibleRollout". An environment without strategies gets one, with the default
stickiness. If an environment has several rollouts, or only disabled ones, name one with --strategy. With --all,
which is one change, the strategy must have the same id in every environment; where some have none, it must be one that this
command has added.`;

export function rolloutCommand(): Command {
  return commandInEnvironments("rollout", help, [
    [
      "feature rollout checkout 25 --environment production",
      "shows which users get the feature then, and asks",
    ],
    [
      "feature rollout checkout 100 --environment production --strategy beta --yes",
      "one of several rollouts",
    ],
    ["feature rollout checkout 25 --all", "in every environment"],
  ])
    .argument("<name>", "the name of the feature")
    .argument("<percent>", "a whole number from 0 to 100", toPercent)
    .option("--strategy <id>", "the strategy to change, if there are several rollouts")
    .action(onApi(rollOut));
}

/** Reads a whole number of percent, as SDKs compare it. */
function toPercent(text: string): string {
  if (/^(\d{1,2}|100)$/.test(text)) return String(Number(text));
  throw new InvalidArgumentError("It must be a whole number from 0 to 100.");
}

async function rollOut(api: Api, options: RolloutOptions, name: string, percent: string): Promise<void> {
  const only = environmentGiven(options);
  const { feature, headers } = await lookUpFeature(api, name, options);
  const one = only === undefined ? undefined : requireEnvironment(feature, only);
  const environments = one ? [one] : feature.environments;
  const strategy = commonStrategy(environments, name, options.strategy);
  for (const { environment, enabled } of environments) {
    if (enabled) continue;
    const turnOn = commandToPaste(options, ["feature", "on", name, "--environment", environment]);
    note(
      `"${printable(name)}" is off in ${printable(environment)}, so no user gets it; to switch it on, run: ${turnOn}`,
    );
  }
  if (strategy?.disabled)
    note(`The strategy "${printable(strategy.id)}" is disabled, so it gives the feature to no user`);
  await makeChange(api, options, {
    method: "PATCH",
    path: pathOfFeature(feature, only),
    body: toPatch(strategy, name, percent),
    ifMatch: one?.etag ?? requireEtag(headers),
    title: `Roll "${name}" out to ${percent} %${strategy ? ` by strategy "${strategy.id}"` : ""} in ${only ?? "every environment"}`,
    feature: name,
    commandWords: [
      ...["feature", "rollout", name, percent, ...environmentWords(only)],
      ...(options.strategy === undefined ? [] : ["--strategy", options.strategy]),
    ],
    textIfWritten: (where, change) =>
      `Rolled "${name}" out to ${percent} % in ${where}: the change ${change}.`,
    textIfUnchanged: `The rollout of "${name}" is ${percent} % already.`,
  });
}

/** Returns the strategy that a patch of every environment can name; undefined if each has none, or one that this command added. */
function commonStrategy(
  environments: readonly FoundEnvironment[],
  feature: string,
  id?: string,
): Strategy | undefined {
  const meant = environments.map((one) => strategyMeant(one, id));
  const [first] = meant;
  if (meant.every((one) => one?.id === first?.id)) return first;
  if (meant.every((one) => one === undefined || isAsAdded(one, feature))) return undefined;
  const listed = environments.map(
    ({ environment }, index) => `\n    ${environment}: ${meant[index]?.id ?? "no strategy"}`,
  );
  throw new Refusal(
    `the rollout is not the same strategy in every environment: give --environment${listed.join("")}`,
  );
}

function toPatch(strategy: Strategy | undefined, name: string, rollout: string): Patch {
  if (strategy) {
    const path = formatPointer(["strategies", strategy.id, "parameters", "rollout"]);
    return [{ op: "add", path, value: rollout }];
  }
  const { id, ...value } = strategyToAdd(name, rollout);
  return [{ op: "add", path: formatPointer(["strategies", id]), value }];
}

function strategyToAdd(feature: string, rollout: string) {
  return { id: "rollout", sortOrder: lastSortOrder, ...newRollout(feature, rollout) };
}

function isAsAdded(strategy: Strategy, feature: string): boolean {
  const { constraints, variants, ...rest } = strategy;
  const added = strategyToAdd(feature, strategy.parameters.rollout ?? "");
  return constraints.length === 0 && variants.length === 0 && isDeepStrictEqual(rest, added);
}

/** Returns undefined if a strategy is to be added. */
function strategyMeant({ environment, strategies }: FoundEnvironment, id?: string): Strategy | undefined {
  const named = strategies.find((one) => one.id === id);
  if (named && isRollout(named)) return named;
  if (named) throw new Refusal(`strategy "${id}" in ${environment} is "${named.name}", which has no rollout`);
  const ids = strategies.map((one) => one.id);
  if (id !== undefined) {
    throw new Refusal(`there is no strategy "${id}" in ${environment}${didYouMean(id, ids)}`);
  }
  const active = activeStrategies(strategies);
  const rollouts = active.filter(isRollout);
  if (rollouts.length === 1) return rollouts[0];
  if (strategies.length === 0) return undefined;
  const listed = strategies.map((one) => `\n    ${one.id}: ${strategySentence(one)}`).join("");
  if (rollouts.length > 1)
    throw new Refusal(`${environment} has several rollouts: name one with --strategy${listed}`);
  throw new Refusal(
    `${environment} has strategies, but no rollout that is in effect: change them with "feature patch", ` +
      `or name one with --strategy${listed}`,
  );
}

function isRollout({ name }: Strategy): boolean {
  return name === "flexibleRollout";
}
