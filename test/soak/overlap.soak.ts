import { expect, it } from "vitest";
import { useBurgee } from "../support/burgee.ts";
import { checkHistory } from "./check-history.ts";
import { isAcknowledged, type Sent } from "./history.ts";
import { runRound } from "./load.ts";

const seconds = Number(process.env.SOAK_SECONDS ?? 60);

const burgee = useBurgee();

it(`applies every acknowledged change once and in order, with 64 callers for ${seconds} seconds`, async () => {
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
  expect(all.some(({ attempts }) => attempts.some(isAcknowledged))).toBe(true);
});

function figures(all: readonly Sent[], ms: number): string {
  const attempts = all.flatMap((sent) => sent.attempts);
  const latencies = attempts
    .map(({ sentAt, answeredAt }) => answeredAt - sentAt)
    .sort((left, right) => left - right);
  const percentile = (share: number) =>
    `${Math.round(latencies[Math.floor(latencies.length * share)] ?? 0)} ms`;
  const statuses = [...new Set(attempts.map(({ status }) => status))].sort((left, right) => left - right);
  const counts = statuses.map((of) => `${of}: ${attempts.filter(({ status }) => status === of).length}`);
  return [
    "",
    `${all.length} changes sent ${attempts.length} times in ${Math.round(ms / 1000)} s (${Math.round(attempts.length / (ms / 1000))}/s)`,
    `responses ${counts.join(", ")}`,
    `latency p50 ${percentile(0.5)}, p99 ${percentile(0.99)}, longest ${percentile(0.99999)}`,
    "",
  ].join("\n");
}
