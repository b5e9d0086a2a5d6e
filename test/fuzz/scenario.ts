/** Runs the steps of a scenario in order, and checks everything after each. */
import type { Session } from "../../lib/store/session.ts";
import { falseClaims, mayChange } from "./claims.ts";
import { deliver } from "./deliver.ts";
import type { Answer } from "./send.ts";
import type { FuzzedServer } from "./server.ts";
import { type Scenario, type Taken, take } from "./steps.ts";
import { issuesOfTable, readTable, resetTable } from "./table.ts";

export interface Tally {
  requests: number;
  /** Counts by kind of step and status. */
  answers: Map<string, number>;
  worstCpuMs: number;
}

const mostCpuMs = 200;

interface Context {
  server: FuzzedServer;
  session: Session;
  tally: Tally;
}

/** Throws at the first issue; `taken` then has all steps up to it. */
export async function runScenario(
  { start, steps }: Scenario,
  { server, session, tally }: Context,
  taken: Taken[],
): Promise<void> {
  let table = await resetTable(session, start);
  let etag = '"none"';
  for (const [index, drawn] of steps.entries()) {
    const step = take(drawn, etag);
    taken.push(step);
    const cpuBefore = await server.cpuMs();
    const { issues, answer } = await deliver(step, server);
    const cpu = (await server.cpuMs()) - cpuBefore;
    if (cpu > mostCpuMs) issues.push(`the request took ${Math.round(cpu)} ms of processor time`);
    const changeable = mayChange(step, answer);
    // Steps that must change nothing are checked together, at the end at the latest.
    const after = changeable || index === steps.length - 1 ? await readTable(session) : table;
    issues.push(...issuesOfTable(table, after, changeable), ...falseClaims(step, answer, after));
    issues.push(...server.takeIssues());
    if (issues.length > 0) throw new Error(issues.join("\n"));
    table = after;
    etag = answer?.headers.etag ?? etag;
    count(tally, step, answer, cpu);
  }
}

function count(tally: Tally, step: Taken, answer: Answer | undefined, cpuMs: number): void {
  tally.requests++;
  tally.worstCpuMs = Math.max(tally.worstCpuMs, cpuMs);
  const what = `${step.by} ${answer?.status ?? ""}`.trim();
  tally.answers.set(what, (tally.answers.get(what) ?? 0) + 1);
}
