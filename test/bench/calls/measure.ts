/** Counts the DynamoDB calls and request units of each operation, by the size of the items. */
import type { BenchEngine } from "../engine/start.ts";
import { digits, formatTable } from "../report.ts";
import { stateWith } from "../requests.ts";
import { type Sandbox, startSandbox } from "../sandbox/start.ts";
import { type Case, cases } from "./cases.ts";

interface OperationCost {
  operation: string;
  /** Describes the stored items. */
  stored: string;
  calls: string;
  reads: number;
  writes: number;
}

export async function measureOperations(engine: BenchEngine): Promise<OperationCost[]> {
  const start = (name: Case["handler"]) => startSandbox(name, { environment: engine.plain });
  const warm = { tags: start("tags"), variants: start("variants") };
  const costs: OperationCost[] = [];
  for (const [index, { operation, handler, stored, request, before, isCold = false }] of cases.entries()) {
    const feature = `case-${index}`;
    await engine.store(stateWith({ names: [feature], ...stored }));
    for (const make of before) await serve(warm[handler], make(feature));
    engine.wire.reset();
    await serve(isCold ? start(handler) : warm[handler], request(feature));
    const { calls } = engine.wire;
    const unitsOf = (...operations: string[]) =>
      calls.reduce((sum, call) => (operations.includes(call.operation) ? sum + call.units : sum), 0);
    costs.push({
      operation,
      stored: Object.entries(stored)
        .map(([what, count]) => `${count} ${what}`)
        .join(", "),
      calls: countEach(calls.map((call) => call.operation)),
      reads: unitsOf("GetItem", "Query"),
      writes: unitsOf("UpdateItem", "BatchWriteItem"),
    });
  }
  return costs;
}

async function serve(sandbox: Sandbox, event: object): Promise<void> {
  const { status, body } = await sandbox.call(event);
  if (status >= 300) throw new Error(`${JSON.stringify(event)} returned ${status}: ${body}`);
}

export function formatOperations(costs: readonly OperationCost[]): string {
  const rows = costs.map(({ operation, stored, calls, reads, writes }) => [
    ...[operation, stored, calls],
    ...[reads, writes].map(digits),
  ]);
  return formatTable([["operation", "stored", "calls", "read units", "write units"], ...rows]);
}

function countEach(calls: readonly string[]): string {
  const kinds = [...new Set(calls)];
  return kinds.map((kind) => `${calls.filter((call) => call === kind).length} ${kind}`).join(", ");
}
