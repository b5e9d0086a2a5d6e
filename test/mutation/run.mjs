/**
 * Mutation testing of lib/features and lib/contract, by Stryker, which is fetched when it is asked for. It fails below
 * 95 %, and for a mutant that lives without a reason in living.json. What follows `--` goes to Stryker: to try one part,
 * `npm run mutation -- --mutate 'lib/features/patch/*.ts'`; and with MUTATION_TESTS=test/unit, by these tests alone.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { judge } from "./judge.mjs";

const cache = ".cache/mutation";
const stryker = `${cache}/node_modules/@stryker-mutator/core`;
/** The newest for Node 20. */
const version = "9.6.1";

const parameters = process.argv.slice(2);

process.exitCode = install() || test() || judge(read(`${cache}/report.json`), parameters.length === 0);

function install() {
  const manifest = `${stryker}/package.json`;
  if (existsSync(manifest) && read(manifest).version === version) return 0;
  return run("npm", ["install", "--prefix", cache, "--no-save", `@stryker-mutator/core@${version}`]);
}

/** On as many processors as have nothing else to do. */
function test() {
  const idle = Math.max(1, Math.round(availableParallelism() - (loadavg()[0] ?? 0)));
  const options = ["test/mutation/stryker.config.json", "--concurrency", String(idle), ...parameters];
  return run(process.execPath, [`${stryker}/bin/stryker.js`, "run", ...options]);
}

/** @param {string} file */
function read(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** @param {string} command @param {string[]} given */
function run(command, given) {
  return spawnSync(command, given, { stdio: "inherit" }).status ?? 1;
}
