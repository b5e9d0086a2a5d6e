/** Counts the DynamoDB calls and request units of each operation, by the size of the items. */
import type { BenchEngine } from "../engine/start.ts";
import { digits, formatTable } from "../report.ts";
import { stateWith } from "../requests.ts";
import { cases } from "./cases.ts";
import { loadHandler } from "./handler.ts";

export interface OperationCost {
  operation: string;
  /** Describes the stored items. */
  stored: string;
  calls: string;
  reads: number;
  writes: number;
}

/** Runs in this process, on the engine that the environment names. */
export async function measureOperations(engine: BenchEngine): Promise<OperationCost[]> {
  const costs: OperationCost[] = [];
  for (const [index, { operation, handler, stored, request, before, isCold = false }] of cases.entries()) {
    const feature = `case-${index}`;
    await engine.store(stateWith({ name: feature, ...stored }));
    const run = async (event: object, isNew: boolean) => {
      const { statusCode, body } = await withoutOutput(() => loadHandler(handler, { isNew })(event));
      if (statusCode >= 300) throw new Error(`${operation} returned ${statusCode}: ${body}`);
    };
    for (const make of before) await run(make(feature), false);
    await engine.takeCharges();
    await run(request(feature), isCold);
    const charges = await engine.takeCharges();
    const isRead = (call: string) => ["GetItem", "Query"].includes(call);
    const unitsOf = (areReads: boolean) =>
      charges.reduce((sum, { call, units }) => (isRead(call) === areReads ? sum + units : sum), 0);
    const description = Object.entries(stored).map(([what, count]) => `${count} ${what}`);
    costs.push({
      operation,
      stored: description.join(", "),
      calls: countEach(charges.map(({ call }) => call)),
      reads: unitsOf(true),
      writes: unitsOf(false),
    });
  }
  return costs;
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

/** A request's log line would stand between the figures. */
async function withoutOutput<Result>(run: () => Promise<Result>): Promise<Result> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return await run();
  } finally {
    process.stdout.write = write;
  }
}
