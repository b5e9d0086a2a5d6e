/** What a run of Stryker comes to. Every mutant that lives must have its reason, and every reason its mutant. */
import { readFileSync } from "node:fs";

/**
 * @typedef {{ status: string, replacement: string, location: { start: { line: number } } }} Mutant
 * @typedef {{ files: Record<string, { source: string, mutants: Mutant[] }> }} Report
 * @typedef {{ file: string, line: string, mutated: string }} Living
 */

const least = 95;

/** @param {Report} report */
export function judge({ files }) {
  /** @type {(Living & { reason: string })[]} */
  const reasons = JSON.parse(readFileSync("test/mutation/living.json", "utf8"));
  const tried = Object.values(files).flatMap(({ mutants }) => mutants.filter(isJudged));
  const living = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.filter((mutant) => isJudged(mutant) && !isDead(mutant)).map((mutant) => told(file, source, mutant)),
  );
  const score = (100 * (tried.length - living.length)) / tried.length;
  const unexplained = living.filter((one) => !reasons.some((reason) => isSame(reason, one)));
  const gone = reasons.filter((reason) => reason.file in files && !living.some((one) => isSame(reason, one)));

  for (const one of unexplained) console.log("lives without a reason:", JSON.stringify(one, null, 2));
  for (const one of gone) console.log("a reason for a mutant that does not live:", JSON.stringify(one, null, 2));
  console.log(
    `${tried.length} mutants, ${living.length} live, ${score.toFixed(2)} % killed (${least} % is the least)`,
  );
  return score >= least && unexplained.length === 0 && gone.length === 0 ? 0 : 1;
}

/** Not those that Stryker left out, nor those that did not compile. @param {Mutant} mutant */
function isJudged({ status }) {
  return ["Killed", "Timeout", "Survived", "NoCoverage"].includes(status);
}

/** @param {Mutant} mutant */
export function isDead({ status }) {
  return status === "Killed" || status === "Timeout";
}

/** In words that last when the lines above it change. @param {string} file @param {string} source @param {Mutant} mutant */
function told(file, source, { replacement, location }) {
  const line = source.split("\n")[location.start.line - 1]?.trim() ?? "";
  return { file, line, mutated: replacement.replaceAll(/\s+/g, " ") };
}

/** @param {Living} one @param {Living} other */
function isSame(one, other) {
  return one.file === other.file && one.line === other.line && one.mutated === other.mutated;
}
