/** Tests a deployed stage: whether its functions run, and may make their calls. */
import { setTimeout } from "node:timers/promises";
import type { Stack } from "./stack.ts";

/** Called with an unknown key: their 401 shows that all functions run and can read the table. */
const paths = [
  "/api/admin/features/smoke-test/tags",
  "/api/admin/projects/smoke-test/features/smoke-test/variants",
  "/api/admin/projects",
];

/** New addresses and permissions take a while to reach all of AWS. */
const smokeTestMs = 30_000;
const pauseMs = 2000;

/** Returns what is wrong; undefined if nothing is. */
export async function smokeTest({ outputs }: Stack): Promise<string | undefined> {
  // A custom domain may not be in DNS yet.
  const base = outputs.DefaultUrl ?? outputs.Url;
  const until = Date.now() + smokeTestMs;
  for (;;) {
    const calls = await Promise.all(paths.map((path) => call(`${base}${path}`)));
    const { failure } = calls.find((each) => each.failure) ?? {};
    const { unreachable } = calls.find((each) => each.unreachable) ?? {};
    if (!failure && !unreachable) return undefined;
    if (Date.now() + pauseMs > until) {
      // Behind a proxy, for example: that says nothing about the release.
      if (unreachable)
        console.error(`burgee: not tested, as the address is not reachable from here: ${unreachable}`);
      return failure;
    }
    await setTimeout(pauseMs);
  }
}

async function call(url: string): Promise<{ failure?: string; unreachable?: string }> {
  try {
    const headers = { authorization: "smoke-test" };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(15_000) });
    const body = await response.text();
    // The gateway's own 401 has no such name.
    if (response.status === 401 && body.includes('"AuthenticationRequired"')) return {};
    return { failure: `GET ${url} returned ${response.status} ${body.slice(0, 200)}` };
  } catch (error) {
    const { message, cause } = error as Error;
    return { unreachable: `GET ${url} failed: ${cause instanceof Error ? cause.message : message}` };
  }
}
