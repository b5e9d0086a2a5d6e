/**
 * What a test file imports as "vitest", where a mutant is tried: Vitest's own parts, without its workers. A worker takes
 * half a second to start; here the tests stay loaded from one mutant to the next.
 */
import { createRequire } from "node:module";

// They are Vitest's dependencies, and so of its version.
const { resolve } = createRequire(createRequire(import.meta.url).resolve("vitest/package.json"));
const runner = await import(resolve("@vitest/runner"));
const parts = await import(resolve("@vitest/expect"));

export const { afterAll, afterEach, beforeAll, beforeEach, describe, it } = runner;
export const { collectTests, getFn, getHooks } = runner;

parts.chai.use(parts.JestExtend);
parts.chai.use(parts.JestChaiExpect);
parts.chai.use(parts.JestAsymmetricMatchers);

/** @param {unknown} value @param {string} [message] */
export const expect = Object.assign((value, message) => parts.chai.expect(value, message), parts.chai.expect);
Object.assign(globalThis, { [parts.GLOBAL_EXPECT]: expect });

/** Handlers are loaded anew for each service: see load-tests.mjs. */
export const vi = { resetModules() {} };

/** @type {Record<string, unknown>} */
export const provided = {};

/** @param {string} name */
export const inject = (name) => provided[name];
