/** What the local service gives to a function. */
import type { Context } from "aws-lambda";
import { expect, it, vi } from "vitest";
import { openService, readFirstState } from "../../../infra/local/service.ts";

it("the time that remains does not grow when the clock is set back during a request", async () => {
  const env = { ...process.env };
  const remaining: number[] = [];
  const handler = async (_: unknown, { getRemainingTimeInMillis }: Context) => {
    remaining.push(getRemainingTimeInMillis());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    remaining.push(getRemainingTimeInMillis());
    return { statusCode: 204 };
  };
  const service = await openService(await readFirstState(), () => ({ tags: handler }) as never);
  try {
    await service.invoke({ name: "tags", timeoutMs: 10_000 } as never, {} as never);
  } finally {
    vi.useRealTimers();
    await service.engine.stop();
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }

  const [first = 0, second = 0] = remaining;
  expect(first).toBeLessThanOrEqual(10_000);
  expect(second).toBeLessThanOrEqual(first);
});
