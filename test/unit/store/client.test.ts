import { expect, it } from "vitest";
import { createRetryStrategy } from "../../../lib/store/client.ts";

const withoutJitter = () => createRetryStrategy(() => 1);

it.each(["THROTTLING", "TRANSIENT", "SERVER_ERROR"] as const)(
  "a call is made at once, and retried after %s with longer and longer pauses, up to a second, without end",
  async (errorType) => {
    const strategy = withoutJitter();
    const pauses: number[] = [];

    let token = await strategy.acquireInitialRetryToken("scope");
    expect([token.getRetryCount(), token.getRetryDelay()]).toEqual([0, 0]);
    for (let tries = 0; tries < 1000; tries++) {
      token = await strategy.refreshRetryTokenForRetry(token, { errorType });
      pauses.push(token.getRetryDelay());
    }

    expect(pauses.slice(0, 7)).toEqual([50, 100, 200, 400, 800, 1000, 1000]);
    expect(pauses.at(-1)).toBe(1000);
    expect(token.getRetryCount()).toBe(1000);
  },
);

it("a client error is not retried", async () => {
  const strategy = withoutJitter();
  const token = await strategy.acquireInitialRetryToken("scope");

  await expect(strategy.refreshRetryTokenForRetry(token, { errorType: "CLIENT_ERROR" })).rejects.toThrow();
});

it("pauses have jitter, so that callers who failed at the same time do not retry at the same time", async () => {
  const strategy = createRetryStrategy(() => 0.5);
  const token = await strategy.acquireInitialRetryToken("scope");

  const again = await strategy.refreshRetryTokenForRetry(token, { errorType: "TRANSIENT" });

  expect(again.getRetryDelay()).toBe(25);
});
