/** Checks the report of a mutation run: every survivor needs a reason in survivors.json, and every reason a survivor. */
import { readFileSync } from "node:fs";

/**
 * @typedef {{ status: string, replacement: string, location: { start: { line: number } } }} Mutant
 * @typedef {{ files: Record<string, { source: string, mutants: Mutant[] }> }} Report
 * @typedef {{ reason: string, mutants: Record<string, string[]> }} Reason Replacements by the text of the mutated line.
 */

const leastKilled = 95;

/** Returns the exit code. A run on a part of the code is not compared with the score. @param {Report} report */
export function checkReport({ files }, isWhole = true) {
  const mutants = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ status, replacement, location: { start } }) => {
      const line = source.split("\n")[start.line - 1] ?? "";
      return { status, at: `${file}:${start.line}`, change: toChange(line, replacement) };
    }),
  );
  const survivors = mutants.filter(({ status }) => status === "Survived" || status === "NoCoverage");
  const killed = mutants.filter(({ status }) => status === "Killed" || status === "Timeout");
  const explained = readChanges();
  const unexplained = survivors.filter(({ change }) => !explained.includes(change));
  // Which of them time out depends on the machine.
  const spared = mutants.filter(({ status }) => status !== "Killed");
  const stale = explained.filter((known) => isWhole && !spared.some(({ change }) => change === known));

  for (const { status, at, change } of unexplained)
    console.log(`${status} without a reason: ${at} ${change}`);
  for (const change of stale) console.log(`Has a reason but does not survive: ${change}`);
  const score = (100 * killed.length) / (killed.length + survivors.length);
  console.log(`${killed.length} mutants killed, ${survivors.length} survived: ${score.toFixed(1)} %`);
  const isTooLow = isWhole && score < leastKilled;
  if (isTooLow) console.log(`At least ${leastKilled} % must be killed`);
  return unexplained.length > 0 || stale.length > 0 || isTooLow ? 1 : 0;
}

/** @returns {string[]} */
function readChanges() {
  /** @type {Reason[]} */
  const reasons = JSON.parse(readFileSync("test/mutation/survivors.json", "utf8"));
  return reasons.flatMap(({ mutants }) =>
    Object.entries(mutants).flatMap(([line, all]) => all.map((replacement) => toChange(line, replacement))),
  );
}

/** Names a mutant without its file and line number, so that moving code keeps the reason. @param {string} line @param {string} replacement */
function toChange(line, replacement) {
  return `${line.trim()} => ${replacement.replaceAll(/\s+/g, " ")}`;
}
