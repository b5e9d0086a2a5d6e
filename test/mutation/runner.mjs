/** The runner that Stryker asks: it loads the tests once, and runs of them what a mutant needs, up to the first failure. */
import { rm } from "node:fs/promises";
import { bundle, testFiles } from "./bundle.mjs";
import { between, failureOf } from "./suite.mjs";
import { Trials } from "./trials.mjs";
import { prepareWorld, stryker, withStryker } from "./world.mjs";

/**
 * @typedef {object} MutantRun
 * @property {{ id: string }} activeMutant
 * @property {string[]} [testFilter]
 * @property {"static" | "runtime"} mutantActivation
 * @property {number} [hitLimit]
 */

class Runner {
  /** In Stryker's copy of the repository, which is the working directory by now. */
  #out = `${process.cwd()}/.mutation-${process.pid}`;
  #trials = new Trials(this.#out);
  #stop = () => {};

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    await bundle(this.#out);
    this.#stop = await prepareWorld(this.#out);
  }

  async dispose() {
    await this.#trials.suite.close();
    this.#stop();
    await rm(this.#out, { recursive: true, force: true });
  }

  async dryRun() {
    const tests = [];
    // All are loaded before any is run: what a test leaves running is not to be taken for the loading of a module.
    for (const file of testFiles) await this.#trials.suite.testsOf(file);
    stryker.currentTestId = between;
    for (const file of testFiles) {
      const fileName = `${process.cwd()}/${file}`;
      for (const test of await this.#trials.suite.testsOf(file)) {
        const { id, name } = test;
        const startedAt = performance.now();
        const failureMessage = await withStryker({ currentTestId: id }, () => failureOf(test));
        const timeSpentMs = performance.now() - startedAt;
        const status = failureMessage === undefined ? 0 : 1;
        tests.push({ id, name, fileName, timeSpentMs, status, failureMessage });
      }
    }
    delete stryker.mutantCoverage?.perTest[between];
    return { status: "complete", tests, mutantCoverage: stryker.mutantCoverage };
  }

  /** @param {MutantRun} run */
  async mutantRun({ activeMutant: { id }, testFilter = [], mutantActivation, hitLimit }) {
    Object.assign(stryker, { hitCount: 0, hitLimit });
    return mutantActivation === "static"
      ? this.#trials.runAnew(id)
      : this.#trials.runAsLoaded(id, new Set(testFilter));
  }
}

const factory = Object.assign(() => new Runner(), { inject: [] });
export const strykerPlugins = [{ kind: "TestRunner", name: "loaded-once", factory }];
