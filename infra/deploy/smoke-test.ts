/** Calls both functions of a deployed stage with an unknown key: their 401 shows that they run and can read the table. */
import { setTimeout } from "node:timers/promises";
import type { Stack } from "./stack.ts";

const paths = [
  "/api/admin/features/smoke-test/tags",
  "/api/admin/projects/smoke-test/features/smoke-test/variants",
];

/** New addresses and permissions take a while to reach all of AWS. */
const patienceMs = 30_000;
const pauseMs = 2000;

/** Returns what is wrong; undefined if nothing is. */
export async function smokeTest({ outputs }: Stack): Promise<string | undefined> {
  // A custom domain may not be in DNS yet.
  const base = outputs.DefaultUrl ?? outputs.Url;
  const until = Date.now() + patienceMs;
  const failures = await Promise.all(paths.map((path) => callUntil(`${base}${path}`, until)));
  return failures.find((failure) => failure !== undefined);
}

async function callUntil(url: string, until: number): Promise<string | undefined> {
  const failure = await call(url);
  if (failure === undefined || Date.now() + pauseMs > until) return failure;
  await setTimeout(pauseMs);
  return callUntil(url, until);
}

async function call(url: string): Promise<string | undefined> {
  try {
    const headers = { authorization: "smoke-test" };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(15_000) });
    const body = await response.text();
    // The gateway's own 401 has no such name.
    if (response.status === 401 && body.includes('"AuthenticationRequired"')) return undefined;
    return `GET ${url} returned ${response.status} ${body.slice(0, 200)}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `GET ${url} failed: ${cause instanceof Error ? cause.message : message}`;
  }
}
