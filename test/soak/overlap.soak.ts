import { expect, it } from "vitest";
import { useBurgee } from "../support/burgee.ts";
import { checkHistory } from "./check-history.ts";
import { isAcknowledged, type Sent } from "./history.ts";
import { runRound } from "./load.ts";

const seconds = Number(process.env.SOAK_SECONDS ?? 60);

const burgee = useBurgee();

it(`for ${seconds} seconds, 64 at a time: every acknowledged change is there once, in order, and nothing else`, async () => {
  const all: Sent[] = [];
  const issues: string[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < seconds * 1000) {
    const { sent, standings } = await runRound(burgee);
    all.push(...sent);
    issues.push(...checkHistory(sent, standings));
  }
  process.stderr.write(figures(all, performance.now() - startedAt));

  expect(issues).toEqual([]);
  expect(all.some(({ tries }) => tries.some(isAcknowledged))).toBe(true);
});

function figures(all: readonly Sent[], ms: number): string {
  const tries = all.flatMap((sent) => sent.tries);
  const latencies = tries
    .map(({ sentAt, answeredAt }) => answeredAt - sentAt)
    .sort((left, right) => left - right);
  const percentile = (share: number) =>
    `${Math.round(latencies[Math.floor(latencies.length * share)] ?? 0)} ms`;
  const statuses = [...new Set(tries.map(({ status }) => status))].sort((left, right) => left - right);
  const counts = statuses.map((of) => `${of}: ${tries.filter(({ status }) => status === of).length}`);
  return [
    "",
    `${all.length} changes sent ${tries.length} times in ${Math.round(ms / 1000)} s (${Math.round(tries.length / (ms / 1000))}/s)`,
    `answers ${counts.join(", ")}`,
    `latency p50 ${percentile(0.5)}, p99 ${percentile(0.99)}, longest ${percentile(0.99999)}`,
    "",
  ].join("\n");
}
