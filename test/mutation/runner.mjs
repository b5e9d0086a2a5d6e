/** The runner that Stryker asks: it loads the tests once, and runs of them what a mutant needs, up to the first failure. */
import { cp, rm } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { bundle, testFiles } from "./bundle.mjs";
import { loadTests } from "./load-tests.mjs";
import { provided } from "./vitest.mjs";

/** @typedef {import("./load-tests.mjs").Test} Test */

// Property tests draw the same at every run, so that a mutant lives or dies by its code alone.
fc.configureGlobal({ seed: 20_240_229, endOnFailure: true });

/** In Stryker's copy of the repository, which becomes the working directory. */
const out = () => `${process.cwd()}/.mutation-${process.pid}`;
/** Stryker's words in the sources read and write here. */
const stryker = (globalThis.__stryker__ ??= {});
/** @type {Record<string, unknown>[]} */
let log = [];
let handlers = 0;

globalThis.loadHandler = async (name) => {
  const { currentTestId } = stryker;
  stryker.currentTestId = undefined;
  try {
    return await import(`${pathToFileURL(`${out()}/${name}`)}?${handlers++}`);
  } finally {
    stryker.currentTestId = currentTestId;
  }
};

const { write } = process.stdout;
process.stdout.write = (chunk, ...rest) => {
  const line = String(chunk);
  if (!line.startsWith('{"time"')) return write.call(process.stdout, chunk, ...rest);
  log.push(JSON.parse(line));
  return true;
};

class Suite {
  #url;
  #files = new Map();
  constructor(folder) {
    this.#url = pathToFileURL(folder);
  }
  async tests(file) {
    const known = this.#files.get(file);
    if (known) return known.tests;
    const built = `${this.#url}/${file.replace(/ts$/, "mjs")}`;
    log = (await import(`${this.#url}/test/support/log.mjs`)).log;
    const loaded = await loadTests(file, built, (prepare) => this.preparing(prepare));
    this.#files.set(file, loaded);
    return loaded.tests;
  }
  /** Not of any one test. */
  async preparing(prepare) {
    const { activeMutant, currentTestId } = stryker;
    if (!this.isStatic) stryker.activeMutant = undefined;
    stryker.currentTestId = "preparing";
    try {
      await prepare();
    } finally {
      stryker.activeMutant = activeMutant;
      stryker.currentTestId = currentTestId;
    }
  }
  async close() {
    // With a mutant, there may be nothing to close.
    for (const file of this.#files.values()) await file.close().catch(() => {});
  }
}

class Runner {
  #suite;
  #copies = 0;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    await bundle(out());
    this.#suite = new Suite(`${out()}/0`);
    const { startDynalite } = await import(`${pathToFileURL(out())}/0/test/support/dynalite.mjs`);
    this.engine = await startDynalite();
    provided.engine = this.engine.endpoint;
  }

  async dispose() {
    await this.#suite.close();
    await this.engine.stop();
    await rm(out(), { recursive: true, force: true });
  }

  async dryRun() {
    const tests = [];
    for (const file of testFiles) {
      for (const test of await this.#suite.tests(file)) {
        const { id, name } = test;
        stryker.currentTestId = id;
        const start = performance.now();
        const failureMessage = await run(test);
        stryker.currentTestId = undefined;
        const timeSpentMs = performance.now() - start;
        const told = { id, name, fileName: `${process.cwd()}/${file}`, timeSpentMs };
        tests.push(failureMessage === undefined ? { ...told, status: 0 } : { ...told, status: 1, failureMessage });
      }
    }
    delete stryker.mutantCoverage?.perTest.preparing;
    return { status: "complete", tests, mutantCoverage: stryker.mutantCoverage };
  }

  async mutantRun({ activeMutant: { id }, testFilter, mutantActivation, hitLimit }) {
    Object.assign(stryker, { hitCount: 0, hitLimit });
    try {
      return mutantActivation === "static" ? await this.#runAnew(id) : await this.#runAsLoaded(id, testFilter);
    } finally {
      stryker.activeMutant = undefined;
    }
  }

  async #runAsLoaded(id, testFilter) {
    const wanted = new Set(testFilter);
    let nrOfTests = 0;
    for (const file of testFiles) {
      if (!testFilter.some((id) => id.startsWith(`${file}#`))) continue;
      for (const test of (await this.#suite.tests(file)).filter(({ id }) => wanted.has(id))) {
        stryker.activeMutant = id;
        const failureMessage = await run(test);
        stryker.activeMutant = undefined;
        nrOfTests++;
        if (failureMessage === undefined) continue;
        if (stryker.hitCount > stryker.hitLimit) return { status: "timeout", reason: "hit limit" };
        // What a mutant leaves behind must not fail the test for the next one.
        if ((await run(test)) === undefined) return { status: "killed", killedBy: [test.id], failureMessage, nrOfTests };
        await this.#suite.close();
        this.#suite = new Suite(await this.#copy());
      }
    }
    return { status: "survived", nrOfTests };
  }

  /** A mutant in what a module does when it is loaded. */
  async #runAnew(id) {
    stryker.activeMutant = id;
    const folder = await this.#copy();
    const suite = new Suite(folder);
    suite.isStatic = true;
    let nrOfTests = 0;
    try {
      for (const file of testFiles) {
        let tests;
        try {
          tests = await suite.tests(file);
        } catch (error) {
          return { status: "killed", killedBy: [`${file}#`], failureMessage: String(error), nrOfTests };
        }
        for (const test of tests) {
          const failureMessage = await run(test);
          nrOfTests++;
          if (failureMessage !== undefined) return { status: "killed", killedBy: [test.id], failureMessage, nrOfTests };
        }
      }
      return { status: "survived", nrOfTests };
    } finally {
      stryker.activeMutant = undefined;
      await suite.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #copy() {
    const folder = `${out()}/${++this.#copies}`;
    await cp(`${out()}/0`, folder, { recursive: true });
    return folder;
  }
}

async function run(test) {
  log.length = 0;
  try {
    await test.run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const factory = Object.assign(() => new Runner(), { inject: [] });
export const strykerPlugins = [{ kind: "TestRunner", name: "loaded-once", factory }];
