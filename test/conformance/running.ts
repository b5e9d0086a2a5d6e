/** Says which case of the suite runs, or else which file. */
import type * as Vitest from "vitest";

// Those of the suite's Vitest.
const { afterEach, beforeAll, beforeEach, expect } = globalThis as unknown as typeof Vitest;

const say = (running: string | undefined) =>
  fetch(`${process.env.DYNAMODB_ENDPOINT}/running`, { method: "POST", body: running ?? "" });

beforeAll(async () => void (await say(expect.getState().testPath)));
beforeEach(async () => void (await say(expect.getState().currentTestName)));
afterEach(async () => void (await say(expect.getState().testPath)));
