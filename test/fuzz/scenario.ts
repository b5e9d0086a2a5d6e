/** Takes the steps of a scenario one after the other, and looks at everything after each. */
import type { Session } from "../../lib/store/session.ts";
import { deliver } from "./deliver.ts";
import type { Answer } from "./send.ts";
import type { FuzzedServer } from "./server.ts";
import { type Scenario, type Taken, take } from "./steps.ts";
import { faultsOf, readTable, resetTable } from "./table.ts";
import { mayChange, untruths } from "./truth.ts";

export interface Tally {
  requests: number;
  /** How many of each way and status. */
  answers: Map<string, number>;
  worstCpuMs: number;
}

const mostCpuMs = 200;

interface Context {
  server: FuzzedServer;
  session: Session;
  tally: Tally;
}

/** Throws at the first fault. `taken` then holds all steps up to the one that has it. */
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
    if (cpu > mostCpuMs) issues.push(`it took ${Math.round(cpu)} ms of the processor`);
    const changeable = mayChange(step, answer);
    // What should have changed nothing is found out at the end at the latest, without a look after each.
    const after = changeable || index === steps.length - 1 ? await readTable(session) : table;
    issues.push(...faultsOf(table, after, changeable), ...untruths(step, answer, after));
    issues.push(...server.complaints());
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
