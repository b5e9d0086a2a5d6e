import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as clock from "../../lib/clock.ts";

it("the times of calls, rounds and creations fit together, and into an invocation", () => {
  const [, seconds] = /^ {2}timeout: (\d+)$/m.exec(readFileSync("serverless.yml", "utf8")) ?? [];
  const invocationMs = Number(seconds) * 1000;

  expect(clock.afterPauseMs).toBeGreaterThan(clock.responseReserveMs + clock.minSendMs);
  expect(clock.minRoundMs).toBeGreaterThan(clock.afterPauseMs);
  expect(clock.reservationMs).toBeGreaterThan(clock.maxSendMs + 100);
  expect(invocationMs).toBeGreaterThan(clock.reservationMs + clock.minRoundMs);
  expect(clock.guardSlackSeconds * 1000).toBeGreaterThan(10 * invocationMs);
});
