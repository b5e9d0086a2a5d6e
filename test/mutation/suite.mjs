/** All tests, from one copy of the bundle: each file is loaded when it is first asked for, and stays loaded. */
import { pathToFileURL } from "node:url";
import { loadTests } from "./load-tests.mjs";
import { logged, withStryker } from "./world.mjs";

/** @typedef {import("./load-tests.mjs").Test} Test */

/** For what runs in no test, and is no loading of a module: preparations for several, and what a test leaves running. */
export const between = "between the tests";

/**
 * @param {string} folder
 * @param {string} [mutant] Active from the start, while the modules are loaded too; else only within a test.
 */
export function openSuite(folder, mutant) {
  const url = pathToFileURL(folder);
  /** @type {Map<string, Awaited<ReturnType<typeof loadTests>>>} */
  const files = new Map();

  return {
    /** @param {string} file @returns {Promise<Test[]>} */
    async testsOf(file) {
      const known = files.get(file);
      if (known) return known.tests;
      const loaded = await withStryker({ currentTestId: undefined }, async () => {
        logged.log = (await import(`${url}/test/support/log.mjs`)).log;
        return loadTests(file, `${url}/${file.replace(/ts$/, "mjs")}`, (prepare) =>
          withStryker({ activeMutant: mutant, currentTestId: between }, prepare),
        );
      });
      files.set(file, loaded);
      return loaded.tests;
    },
    async close() {
      // With a mutant, there may be nothing to close.
      for (const { close } of files.values()) await close().catch(() => {});
    },
  };
}

/** Why the test fails, if it does. @param {Test} test @returns {Promise<string | undefined>} */
export async function failureOf({ run }) {
  logged.log.length = 0;
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
