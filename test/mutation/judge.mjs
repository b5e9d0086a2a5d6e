/** What a run of Stryker comes to. Every mutant that lives must have its reason, and every reason its mutant. */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * @typedef {{ status: string, replacement: string, location: { start: { line: number } } }} Mutant
 * @typedef {{ files: Record<string, { source: string, mutants: Mutant[] }> }} Report
 * @typedef {{ file: string, line: string, mutated: string }} Living In words that last when the lines above it change.
 * @typedef {{ file: string, mutants: Record<string, string[]>, reason: string }} Reason By line, what became of it.
 */

const least = 95;

/** The score is of the whole: a part with few mutants is held to its reasons alone. @param {Report} report */
export function judge({ files }, isWhole = true) {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...tell(file, source, mutant), isAlive: isAlive(mutant) })),
  );
  const explained = readReasons().filter(({ file }) => file in files);
  const unexplained = all.filter((one) => one.isAlive && !explained.some((reason) => isSame(reason, one)));
  const gone = explained.filter((reason) => !all.some((one) => isSame(reason, one)));

  for (const one of unexplained) console.log("lives without a reason:", JSON.stringify(one, null, 2));
  for (const one of gone) console.log("has a reason, and is gone:", JSON.stringify(one, null, 2));
  for (const folder of new Set(Object.keys(files).map((file) => dirname(file)))) {
    print(
      folder,
      Object.entries(files).filter(([file]) => dirname(file) === folder),
    );
  }
  const score = print("all of it", Object.entries(files));
  return (score >= least || !isWhole) && unexplained.length === 0 && gone.length === 0 ? 0 : 1;
}

/** @returns {Living[]} */
function readReasons() {
  /** @type {Reason[]} */
  const reasons = JSON.parse(readFileSync("test/mutation/living.json", "utf8"));
  return reasons.flatMap(({ file, mutants }) =>
    Object.entries(mutants).flatMap(([line, all]) => all.map((mutated) => ({ file, line, mutated }))),
  );
}

/** @param {string} name @param {[string, Report["files"][string]][]} files */
function print(name, files) {
  const tried = files.flatMap(([, { mutants }]) =>
    mutants.filter((mutant) => isDead(mutant) || isAlive(mutant)),
  );
  const alive = tried.filter(isAlive).length;
  const score = (100 * (tried.length - alive)) / tried.length;
  console.log(
    `${name}: ${tried.length} mutants, ${alive} live, ${score.toFixed(2)} % killed (${least} % is the least)`,
  );
  return score;
}

/** @param {Mutant} mutant */
function isDead({ status }) {
  return status === "Killed" || status === "Timeout";
}

/** @param {Mutant} mutant */
function isAlive({ status }) {
  return status === "Survived" || status === "NoCoverage";
}

/** @param {string} file @param {string} source @param {Mutant} mutant @returns {Living} */
function tell(file, source, { replacement, location }) {
  const line = source.split("\n")[location.start.line - 1]?.trim() ?? "";
  return { file, line, mutated: replacement.replaceAll(/\s+/g, " ") };
}

/** @param {Living} one @param {Living} other */
function isSame(one, other) {
  return one.file === other.file && one.line === other.line && one.mutated === other.mutated;
}
