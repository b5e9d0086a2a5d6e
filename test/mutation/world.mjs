/** What the tests find around them in each process of Stryker's: Stryker's own words, handlers, a log, an engine. */
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { provided } from "./vitest.mjs";

/**
 * @typedef {object} Stryker What the mutants in the sources read and write.
 * @property {string | undefined} [activeMutant]
 * @property {string | undefined} [currentTestId] The test that the code which runs is counted for; without one, the loading of modules.
 * @property {number} [hitCount]
 * @property {number} [hitLimit]
 * @property {{ perTest: Record<string, unknown> }} [mutantCoverage]
 */

/** @type {Stryker} */
export const stryker = Reflect.get(globalThis, "__stryker__") ?? {};
Reflect.set(globalThis, "__stryker__", stryker);

/** What the handlers have logged, in the modules that the tests see. @type {{ log: unknown[] }} */
export const logged = { log: [] };

/** @param {string} out The folder of the bundles. */
export async function prepareWorld(out) {
  // Property tests draw the same at every run, so that a mutant lives or dies by its code alone.
  fc.configureGlobal({ seed: 20_240_229, endOnFailure: true });
  keepLog();
  let loaded = 0;
  Reflect.set(
    globalThis,
    "loadHandler",
    (/** @type {string} */ name) => import(`${pathToFileURL(`${out}/${name}`)}?${loaded++}`),
  );
  const { startDynalite } = await import(`${pathToFileURL(out)}/0/test/support/dynalite.mjs`);
  const { endpoint, stop } = await startDynalite();
  provided.engine = endpoint;
  return stop;
}

/**
 * @template Result
 * @param {Stryker} state
 * @param {() => Promise<Result>} run
 */
export async function withStryker(state, run) {
  const { activeMutant, currentTestId } = stryker;
  Object.assign(stryker, state);
  try {
    return await run();
  } finally {
    Object.assign(stryker, { activeMutant, currentTestId });
  }
}

function keepLog() {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = (/** @type {string | Uint8Array} */ chunk) => {
    const line = String(chunk);
    if (!line.startsWith('{"time"')) return write(chunk);
    logged.log.push(JSON.parse(line));
    return true;
  };
}
