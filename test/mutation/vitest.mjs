/**
 * What a test file imports as "vitest", where a mutant is tried: Vitest's own parts, without its workers. A worker takes
 * half a second to start; here the tests stay loaded from one mutant to the next.
 */
import { createRequire } from "node:module";

// They come with Vitest, at its version.
const { resolve } = createRequire(createRequire(import.meta.url).resolve("vitest/package.json"));
const runner = await import(resolve("@vitest/runner"));
const parts = await import(resolve("@vitest/expect"));

export const { afterAll, afterEach, beforeAll, beforeEach, describe, it } = runner;
export const { collectTests, getFn, getHooks } = runner;

for (const plugin of [parts.JestExtend, parts.JestChaiExpect, parts.JestAsymmetricMatchers])
  parts.chai.use(plugin);

/** @param {unknown} value @param {string} [message] */
const judge = (value, message) => parts.chai.expect(value, message);
export const expect = Object.assign(judge, parts.chai.expect);
Object.assign(globalThis, { [parts.GLOBAL_EXPECT]: expect });

/** Each service of the tests loads its handlers anew in any case: see bundle.mjs. */
export const vi = { resetModules() {} };

/** @type {Record<string, unknown>} */
export const provided = {};

/** @param {string} name */
export const inject = (name) => provided[name];
