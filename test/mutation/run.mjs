/**
 * Mutation testing of lib/features and lib/contract, by Stryker, which is fetched when it is asked for. It fails below
 * 95 %, and for a mutant that lives without a reason in living.json. What follows `--` goes to Stryker: to try one part,
 * `npm run mutation -- --mutate 'lib/features/patch/*.ts'`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** @typedef {{ file: string, line: string, mutated: string, reason: string }} Living */

const cache = ".cache/mutation";
const version = "9.6.1";
const report = `${cache}/report.json`;

process.exitCode = install() || test() || judge();

function install() {
  const stryker = `${cache}/node_modules/@stryker-mutator`;
  if (existsSync(`${stryker}/core`) && existsSync(`${stryker}/vitest-runner`)) return 0;
  const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${version}`);
  // Its peer, vitest, is the one of this repository.
  return run("npm", ["install", "--prefix", cache, "--no-save", "--legacy-peer-deps", ...packages]);
}

function test() {
  const stryker = `${cache}/node_modules/@stryker-mutator/core/bin/stryker.js`;
  return run(process.execPath, [stryker, "run", "test/mutation/stryker.config.json", ...process.argv.slice(2)]);
}

/** Every mutant that lives has its reason, and every reason its mutant. */
function judge() {
  /** @type {Living[]} */
  const explained = JSON.parse(readFileSync("test/mutation/living.json", "utf8"));
  const { files } = JSON.parse(readFileSync(report, "utf8"));
  const living = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter((/** @type {any} */ { status }) => status === "Survived" || status === "NoCoverage")
  );
}

/** @param {string} command @param {string[]} parameters */
function run(command, parameters) {
  return spawnSync(command, parameters, { stdio: "inherit" }).status ?? 1;
}
