/**
 * Mutation testing of lib/features, lib/contract and lib/stale-cache.ts by Stryker, which is downloaded on first use. It
 * fails when a mutant survives without a reason in survivors.json, and when less than 95 % of the mutants are killed.
 * Arguments after `--` go to Stryker: `npm run mutation -- --mutate 'lib/features/patch/*.ts'`.
 */
import "../../infra/build/node-version.mjs";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { fetchPackages } from "../../infra/build/fetch.mjs";
import { checkReport } from "./check-report.mjs";

/** The newest versions that support Node 20. */
const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@9.6.1`);

const parameters = process.argv.slice(2);

const isWhole = !parameters.some((parameter) => parameter.startsWith("--mutate"));

process.exitCode = test() || checkReport(read(".cache/mutation/report.json"), isWhole);

/** Runs Stryker on the idle processors. */
function test() {
  const idle = Math.max(1, Math.round(availableParallelism() - (loadavg()[0] ?? 0)));
  const options = ["test/mutation/stryker.config.json", "--concurrency", String(idle), ...parameters];
  // The runner must find the project's own Vitest, so no peer dependency is installed beside it.
  const modules = fetchPackages("mutation", packages, ["--legacy-peer-deps"]);
  const program = path.join(modules, "@stryker-mutator/core/bin/stryker.js");
  return spawnSync(process.execPath, [program, "run", ...options], { stdio: "inherit" }).status ?? 1;
}

/** @param {string} file */
function read(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
