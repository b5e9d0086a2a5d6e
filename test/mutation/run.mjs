/**
 * Mutation testing of lib/features and lib/contract, by Stryker, which is fetched when it is asked for. It fails below
 * 95 %, and for a mutant that lives without a reason in living.json. What follows `--` goes to Stryker: to try one part,
 * `npm run mutation -- --mutate 'lib/features/patch/*.ts'`; with `--reuse`, mutants killed the last time are not tried
 * again where neither they nor the tests that killed them have changed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { isDead, judge } from "./judge.mjs";

const cache = ".cache/mutation";
const version = "9.6.1";
const killed = `${cache}/incremental.json`;

const isAgain = process.argv.includes("--reuse");
const parameters = process.argv.slice(2).filter((parameter) => parameter !== "--reuse");

process.exitCode = install() || test() || judge(JSON.parse(readFileSync(`${cache}/report.json`, "utf8")));

function install() {
  const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}`);
  if (packages.every((name) => isThere(name))) return 0;
  const pinned = packages.map((name) => `${name}@${version}`);
  // Its peer, vitest, is the one of this repository.
  return run("npm", ["install", "--prefix", cache, "--no-save", "--legacy-peer-deps", ...pinned]);
}

/** @param {string} name */
function isThere(name) {
  const manifest = `${cache}/node_modules/${name}/package.json`;
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
}

/** With the unit tests first; what these leave alive, with all tests. */
function test() {
  if (isAgain) keepKilled();
  else rmSync(killed, { force: true });
  return stryker("unit") || keepKilled() || stryker("all");
}

/** @param {string} tests */
function stryker(tests) {
  const program = `${cache}/node_modules/@stryker-mutator/core/bin/stryker.js`;
  const idle = Math.max(1, Math.round(availableParallelism() - loadavg()[0]));
  const options = ["test/mutation/stryker.config.json", "--concurrency", String(idle), ...parameters];
  return run(process.execPath, [program, "run", ...options], { MUTATION_TESTS: tests });
}

/** Stryker would take it that a mutant which lived lives still, unless it knew of tests that are new to it. */
function keepKilled() {
  if (!existsSync(killed)) return 0;
  const report = JSON.parse(readFileSync(killed, "utf8"));
  for (const file of Object.values(report.files)) {
    file.mutants = file.mutants.filter(isDead);
  }
  writeFileSync(killed, JSON.stringify(report));
  return 0;
}


/** @param {string} command @param {string[]} parameters @param {NodeJS.ProcessEnv} [env] */
function run(command, parameters, env = {}) {
  return spawnSync(command, parameters, { stdio: "inherit", env: { ...process.env, ...env } }).status ?? 1;
}
