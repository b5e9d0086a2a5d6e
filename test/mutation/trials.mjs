/** Tries one mutant after the other. */
import { cp, rm } from "node:fs/promises";
import { testFiles } from "./bundle.mjs";
import { failureOf, openSuite } from "./suite.mjs";
import { stryker, withStryker } from "./world.mjs";

/** @typedef {{ status: string } & Record<string, unknown>} Verdict As Stryker wants it. */

export class Trials {
  #out;
  #copies = 0;
  /** The tests that have killed mutants, the last one first: they are likely to kill their neighbours. @type {Set<string>} */
  #killers = new Set();

  /** @param {string} out The folder of the bundles. */
  constructor(out) {
    this.#out = out;
    this.suite = openSuite(`${out}/0`);
  }

  /**
   * A mutant that only runs within tests.
   * @param {string} mutant
   * @param {ReadonlySet<string>} wanted
   * @returns {Promise<Verdict>}
   */
  async runAsLoaded(mutant, wanted, isSecondTry = false) {
    let nrOfTests = 0;
    for await (const test of this.#inOrder(wanted)) {
      const withMutant = () => withStryker({ activeMutant: mutant }, () => failureOf(test));
      const failureMessage = await withMutant();
      nrOfTests++;
      if (failureMessage === undefined) continue;
      if (isOverLimit()) return { status: "timeout", reason: "hit limit" };
      if ((await failureOf(test)) === undefined) {
        // On a busy machine a test may fail for its time, but hardly twice.
        if ((await withMutant()) === undefined) continue;
        return this.#killed(test.id, failureMessage, nrOfTests);
      }
      // The test fails without it too: by what was left behind, which a new start is rid of.
      if (isSecondTry) return { status: "error", errorMessage: `${test.id} fails alone: ${failureMessage}` };
      await this.suite.close();
      this.suite = openSuite(await this.#copy());
      return this.runAsLoaded(mutant, wanted, true);
    }
    return { status: "survived", nrOfTests };
  }

  /** A mutant in what a module does while it is loaded. @param {string} mutant @returns {Promise<Verdict>} */
  async runAnew(mutant) {
    const folder = await this.#copy();
    const suite = openSuite(folder, mutant);
    try {
      return await withStryker({ activeMutant: mutant }, () => this.#runAll(suite));
    } catch (error) {
      // It cannot even be loaded.
      return { status: "killed", killedBy: [], failureMessage: String(error), nrOfTests: 0 };
    } finally {
      await suite.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** @param {ReturnType<typeof openSuite>} suite @returns {Promise<Verdict>} */
  async #runAll(suite) {
    let nrOfTests = 0;
    for (const file of new Set([...[...this.#killers].map(fileOf), ...testFiles])) {
      for (const test of await suite.testsOf(file)) {
        const failureMessage = await failureOf(test);
        nrOfTests++;
        if (failureMessage === undefined || (await failureOf(test)) === undefined) continue;
        return this.#killed(test.id, failureMessage, nrOfTests);
      }
    }
    return { status: "survived", nrOfTests };
  }

  /** @param {ReadonlySet<string>} wanted */
  async *#inOrder(wanted) {
    const first = [...this.#killers].filter((id) => wanted.has(id));
    for (const killer of first) {
      yield* (await this.suite.testsOf(fileOf(killer))).filter(({ id }) => id === killer);
    }
    const files = new Set([...wanted].map(fileOf));
    for (const file of testFiles.filter((file) => files.has(file))) {
      for (const test of await this.suite.testsOf(file)) {
        if (wanted.has(test.id) && !first.includes(test.id)) yield test;
      }
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
