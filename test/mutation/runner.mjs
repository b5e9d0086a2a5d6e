/** The runner that Stryker asks: it loads the tests once, and runs of them what a mutant needs, up to the first failure. */
import { cp, rm } from "node:fs/promises";
import { bundle, testFiles } from "./bundle.mjs";
import { between, failureOf, openSuite } from "./suite.mjs";
import { prepareWorld, stryker, withStryker } from "./world.mjs";

/**
 * @typedef {object} MutantRun
 * @property {{ id: string }} activeMutant
 * @property {string[]} [testFilter]
 * @property {"static" | "runtime"} mutantActivation
 * @property {number} [hitLimit]
 *
 * @typedef {{ status: string, nrOfTests?: number } & Record<string, unknown>} Verdict
 */

class Runner {
  /** In Stryker's copy of the repository, which is the working directory by now. */
  #out = `${process.cwd()}/.mutation-${process.pid}`;
  #suite = openSuite(`${this.#out}/0`);
  #copies = 0;
  /** The tests that have killed mutants, the last one first. @type {Set<string>} */
  #killers = new Set();
  #stop = () => {};

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    await bundle(this.#out);
    this.#stop = await prepareWorld(this.#out);
  }

  async dispose() {
    await this.#suite.close();
    this.#stop();
    await rm(this.#out, { recursive: true, force: true });
  }

  async dryRun() {
    const tests = [];
    stryker.currentTestId = between;
    for (const file of testFiles) {
      for (const test of await this.#suite.testsOf(file)) {
        const startedAt = performance.now();
        const failureMessage = await withStryker({ currentTestId: test.id }, () => failureOf(test));
        const timeSpentMs = performance.now() - startedAt;
        const result = failureMessage === undefined ? { status: 0 } : { status: 1, failureMessage };
        tests.push({
          id: test.id,
          name: test.name,
          fileName: `${process.cwd()}/${file}`,
          timeSpentMs,
          ...result,
        });
      }
    }
    delete stryker.mutantCoverage?.perTest[between];
    return { status: "complete", tests, mutantCoverage: stryker.mutantCoverage };
  }

  /** @param {MutantRun} run */
  async mutantRun({ activeMutant: { id }, testFilter = [], mutantActivation, hitLimit }) {
    Object.assign(stryker, { hitCount: 0, hitLimit });
    return mutantActivation === "static" ? this.#runAnew(id) : this.#runAsLoaded(id, testFilter);
  }

  /** @param {string} mutant @param {string[]} wanted @param {boolean} [isSecondTry] @returns {Promise<Verdict>} */
  async #runAsLoaded(mutant, wanted, isSecondTry = false) {
    let nrOfTests = 0;
    for await (const test of this.#inOrder(new Set(wanted))) {
      const failureMessage = await withStryker({ activeMutant: mutant }, () => failureOf(test));
      nrOfTests++;
      if (failureMessage === undefined) continue;
      if (isOverLimit()) return { status: "timeout", reason: "hit limit" };
      if ((await failureOf(test)) === undefined) return this.#killed(test.id, failureMessage, nrOfTests);
      // The test fails without it too: by what was left behind, which a new start is rid of.
      if (isSecondTry)
        return { status: "error", errorMessage: `${test.id} fails by itself: ${failureMessage}` };
      await this.#suite.close();
      this.#suite = openSuite(await this.#copy());
      return this.#runAsLoaded(mutant, wanted, true);
    }
    return { status: "survived", nrOfTests };
  }

  /** What killed the last ones is likely to kill their neighbour. @param {Set<string>} wanted */
  async *#inOrder(wanted) {
    const first = [...this.#killers].filter((id) => wanted.has(id));
    for (const killer of first) {
      yield* (await this.#suite.testsOf(fileOf(killer))).filter(({ id }) => id === killer);
    }
    const files = new Set([...wanted].map(fileOf));
    for (const file of testFiles.filter((file) => files.has(file))) {
      for (const test of await this.#suite.testsOf(file)) {
        if (wanted.has(test.id) && !first.includes(test.id)) yield test;
      }
    }
  }

  /** A mutant in what a module does while it is loaded. @param {string} mutant */
  async #runAnew(mutant) {
    const folder = await this.#copy();
    const suite = openSuite(folder, mutant);
    let nrOfTests = 0;
    try {
      return await withStryker({ activeMutant: mutant }, async () => {
        for (const file of new Set([...[...this.#killers].map(fileOf), ...testFiles])) {
          for (const test of await suite.testsOf(file)) {
            const failureMessage = await failureOf(test);
            nrOfTests++;
            if (failureMessage !== undefined) return this.#killed(test.id, failureMessage, nrOfTests);
          }
        }
        return { status: "survived", nrOfTests };
      });
    } catch (error) {
      // It cannot even be loaded.
      return { status: "killed", killedBy: [], failureMessage: String(error), nrOfTests };
    } finally {
      await suite.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** @param {string} test @param {string} failureMessage @param {number} nrOfTests @returns {Verdict} */
  #killed(test, failureMessage, nrOfTests) {
    this.#killers = new Set([test, ...this.#killers]);
    return { status: "killed", killedBy: [test], failureMessage, nrOfTests };
  }

  async #copy() {
    const folder = `${this.#out}/${++this.#copies}`;
    await cp(`${this.#out}/0`, folder, { recursive: true });
    return folder;
  }
}

/** @param {string} test */
function fileOf(test) {
  return test.slice(0, test.indexOf("#"));
}

function isOverLimit() {
  return (stryker.hitCount ?? 0) > (stryker.hitLimit ?? Number.POSITIVE_INFINITY);
}

const factory = Object.assign(() => new Runner(), { inject: [] });
export const strykerPlugins = [{ kind: "TestRunner", name: "loaded-once", factory }];
