/** Says in a sentence what a change did, and what a draft is to do. */

import { parsePointer } from "../../../../lib/contract/json.ts";
import type { ListedChange, ListedEnvironmentChange } from "../../../../lib/contract/responses/changes.ts";
import type { DifferenceOperation } from "../../../../lib/contract/responses/members.ts";
import type { Write } from "../../words/last-write.ts";
import type { ShownEnvironment } from "../requests/shown.ts";
import { agoInWords, listOf, percent, placeInWords } from "./format.ts";
import { hasNormalisedWeights, totalAfterPatch } from "./weights.ts";

type Operations = readonly DifferenceOperation[];

/**
 * "switched production off", and for each other difference another part: "; put blue at 45 % in development".
 *
 * A difference lacks the weights that stay, so their sum is not known. Weights are said as shares of 1000 only while those of
 * each list of the feature sum to 1000: a patch makes them so, and only an operator can have stored others.
 */
export function changeInWords(
  { undoes, environments }: ListedChange,
  feature: readonly ShownEnvironment[],
): string {
  const weightInWords = feature.every(hasNormalisedWeights) ? asShare : asWeight;
  const differences = new Set(environments.map(({ difference }) => JSON.stringify(difference)));
  const parts = [...differences].map((text) => {
    const made = environments.filter(({ difference }) => JSON.stringify(difference) === text);
    return partOf(made, undoes !== undefined, feature.length, weightInWords);
  });
  return parts.join("; ") || "changed nothing";
}

function partOf(
  made: readonly ListedEnvironmentChange[],
  isUndo: boolean,
  all: number,
  weightInWords: WeightInWords,
): string {
  const difference = made[0]?.difference ?? [];
  const place = placeInWords(
    made.map(({ environment }) => environment),
    all,
  );
  const [first, ...others] = difference;
  if (first?.path === "/enabled" && others.length === 0) {
    return `switched ${place} ${first.value ? "on" : "off"}${isUndo ? " again" : ""}`;
  }
  return `${phrasesOf(difference, weightInWords).join(", ")} in ${place}${isUndo ? ", by undo" : ""}`;
}

const imperatives: Readonly<Record<string, string>> = {
  added: "add",
  changed: "change",
  made: "make",
  removed: "remove",
  replaced: "replace",
  switched: "switch",
};

/** What a draft is to do: "add red at 10 %". */
export function intentOf(difference: Operations, { isUndo }: { isUndo: boolean }): string {
  const phrases = phrasesOf(difference, isUndo ? asWeight : asShare).map((phrase) =>
    phrase.replace(/^\w+/, (verb) => imperatives[verb] ?? verb),
  );
  return phrases.join(", ");
}

type WeightInWords = (weight: number) => string;

/** After a patch the weights of a list have this sum. */
const asShare: WeightInWords = (weight) => percent(weight / totalAfterPatch);

/** A state file and an import store weights as they are, of any sum, and an undo restores them. */
const asWeight: WeightInWords = (weight) => `weight ${weight}`;

const mostPhrases = 3;

function phrasesOf(difference: Operations, weightInWords: WeightInWords): string[] {
  const ofOperations = difference.flatMap((operation) => phraseOfOperation(operation, weightInWords));
  const ofWeights = [...weightPhrases(difference, weightInWords), ...weightTypePhrases(difference)];
  const phrases = [...new Set([...ofOperations, ...ofWeights])];
  const more = phrases.length - mostPhrases;
  return more > 1 ? [...phrases.slice(0, mostPhrases), `${more} more`] : phrases;
}

/**
 * For each list of variants: "put blue at 45 % and green at 45 %", or "put blue at weight 450 and green at weight 450", or of
 * a strategy's "put blue at 45 % in a strategy".
 */
function weightPhrases(difference: Operations, weightInWords: WeightInWords): string[] {
  const weightsByList = new Map<string, string[]>();
  for (const { path, value } of difference) {
    const variant = variantWith("weight", path);
    if (!variant) continue;
    const weight = `${variant.name} at ${weightInWords(Number(value))}`;
    weightsByList.set(variant.list, [...(weightsByList.get(variant.list) ?? []), weight]);
  }
  return [...weightsByList].map(
    ([list, weights]) => `put ${listOf(weights)}${list === "/variants" ? "" : " in a strategy"}`,
  );
}

/** "made blue fix", where the weight stays. */
function weightTypePhrases(difference: Operations): string[] {
  const paths = new Set(difference.map(({ path }) => path));
  return difference.flatMap(({ path, value }) => {
    const variant = variantWith("weightType", path);
    const staysAtWeight = variant && !paths.has(path.replace(/Type$/, ""));
    return staysAtWeight ? `made ${variant.name} ${value}` : [];
  });
}

/** The variant of which the path is this member, and the path of its list. */
function variantWith(member: string, path: string): { name: string; list: string } | undefined {
  const names = parsePointer(path);
  const [name = "", isMember] = [names.at(-2), names.at(-1) === member && names.at(-3) === "variants"];
  return isMember ? { name, list: path.split("/").slice(0, -2).join("/") } : undefined;
}

function phraseOfOperation(
  { op, path, value, was }: Operations[number],
  weightInWords: WeightInWords,
): string[] {
  const [part = "", name = "", member, ...rest] = parsePointer(path);
  if (path === "/enabled") return [value ? "switched it on" : "switched it off"];
  if (part === "variants" && name) return variantPhrase({ op, value }, name, member, weightInWords);
  if (part === "variants") return ["replaced all variants"];
  if (part === "targeting") return ["changed flagd's logic"];
  if (part !== "strategies") return [`changed ${part || "all"}`];
  if (!name) return ["changed who gets it"];
  if (member === undefined)
    return [
      op === "remove" ? "removed a strategy" : op === "add" ? "added a strategy" : "replaced a strategy",
    ];
  if (member === "parameters") {
    const rollout = rest[0] === "rollout" ? value : Object(value).rollout;
    const from = was === undefined ? "" : ` from ${was} %`;
    if (rollout !== undefined) return [`set the rollout${from} to ${rollout} %`];
  }
  if (member === "variants" && rest[0]) return variantPhrase({ op, value }, rest[0], rest[1], weightInWords);
  return [`changed the ${rest[0] && member === "parameters" ? rest[0] : member} of a strategy`];
}

function variantPhrase(
  { op, value }: Pick<Operations[number], "op" | "value">,
  name: string,
  member: string | undefined,
  weightInWords: WeightInWords,
): string[] {
  if (member === "weight" || member === "weightType") return [];
  if (member !== undefined) return [`changed the ${member} of ${name}`];
  const { weight }: { weight?: number } = Object(value);
  const share = weight === undefined ? "" : ` at ${weightInWords(weight)}`;
  return [op === "remove" ? `removed ${name}` : `${op === "add" ? "added" : "replaced"} ${name}${share}`];
}

/** ", by demo, 2 seconds ago: incident 7"; or "". */
export function attributionOf(write: Write | undefined): string {
  if (!write) return "";
  const { by, reason } = write.change;
  return `, by ${by}, ${agoInWords(write.writtenAt, Date.now())}${reason ? `: ${reason}` : ""}`;
}
