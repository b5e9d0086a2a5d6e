/** Counts the DynamoDB calls and request units of each operation, by the size of the items. */
import type { BenchEngine, Charge } from "../engine/start.ts";
import { quietly } from "../quietly.ts";
import { stateWith } from "../requests.ts";
import { cases } from "./cases.ts";
import { loadHandler } from "./handler.ts";

export interface OperationCost {
  operation: string;
  /** Describes the stored item. */
  item: string;
  calls: string[];
  reads: number;
  writes: number;
}

/** Runs in this process, on the engine that the environment names. */
export async function measureOperations(engine: BenchEngine): Promise<OperationCost[]> {
  const costs: OperationCost[] = [];
  for (const [
    index,
    { operation, item, size, handler, before, request, isCold = false },
  ] of cases.entries()) {
    const feature = `case-${index}`;
    await engine.store(stateWith({ name: feature, ...size }));
    const run = async (event: object, isNew: boolean) => {
      const { statusCode, body } = await loadHandler(handler, { isNew })(event);
      if (statusCode >= 300) throw new Error(`${operation} (${item}) returned ${statusCode}: ${body}`);
    };
    await quietly(async () => {
      for (const event of before(feature)) await run(event, false);
    });
    await engine.takeCharges();
    await quietly(() => run(request(feature), isCold));
    const charges = await engine.takeCharges();
    costs.push({ operation, item, calls: charges.map(({ call }) => call), ...unitsOf(charges) });
  }
  return costs;
}

export function unitsOf(charges: readonly Charge[]): { reads: number; writes: number } {
  const sum = (isRead: boolean) =>
    charges
      .filter(({ call }) => ["GetItem", "Query"].includes(call) === isRead)
      .reduce((total, { units }) => total + units, 0);
  return { reads: sum(true), writes: sum(false) };
}
