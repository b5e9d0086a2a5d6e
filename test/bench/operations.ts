/** DynamoDB calls and request units of each operation, as the engine counts them, by the size of the items. */
import { createRequire } from "node:module";
import path from "node:path";
import { rememberedWrites } from "../../lib/store/items.ts";
import type { BenchEngine } from "./engine/start.ts";
import { quietly } from "./quietly.ts";
import { patch, putTags, stateWith } from "./requests.ts";

export interface OperationCost {
  operation: string;
  /** What is stored, in words. */
  item: string;
  calls: string[];
  reads: number;
  writes: number;
}

type Handler = (event: object, context: object) => Promise<{ statusCode: number; body: string }>;

const require = createRequire(import.meta.url);
const context = { awsRequestId: "bench", getRemainingTimeInMillis: () => 60_000 };

export function loadHandler(name: string): Handler {
  return require(path.resolve(`dist/${name}.cjs`)).handler;
}

/** In this process, on the engine that the environment names. */
export async function measureOperations(engine: BenchEngine): Promise<OperationCost[]> {
  const [tags, variants] = ["tags", "variants"].map(loadHandler);
  const costs: OperationCost[] = [];
  const cost = async (
    operation: string,
    item: string,
    run: () => Promise<{ statusCode: number }> | undefined,
  ) => {
    await engine.takeCharges();
    const { statusCode = 0 } = (await quietly(async () => run())) ?? {};
    if (statusCode >= 300) throw new Error(`${operation} (${item}) answered ${statusCode}`);
    const charges = await engine.takeCharges();
    costs.push({ operation, item, calls: charges.map(({ call }) => call), ...unitsOf(charges) });
  };
  // An environment remembers its last writes: it is as large as it stays only after a few of them.
  const wear = (name: string) =>
    quietly(async () => {
      for (let number = 0; number < 2 * rememberedWrites; number++) {
        const other = [{ op: "replace", path: "/0/stickiness", value: `by-${number}` }];
        await variants?.(patch(name, other), context);
      }
    });
  const tag = { addedTags: [{ type: "simple", value: "new" }], removedTags: [] };
  for (const count of [1, 20, 1000]) {
    const name = `tags-${count}`;
    await engine.store(stateWith({ name, tags: count }));
    if (count === 1)
      await cost("tag update, key not known", "1 tag", () => tags?.(putTags(name, tag), context));
    await cost("tag update", count === 1 ? "1 tag" : `${count} tags`, () =>
      tags?.(putTags(name, tag), context),
    );
  }
  const change = [{ op: "replace", path: "/0/stickiness", value: "userId" }];
  for (const [count, environments] of [
    [3, 2],
    [100, 2],
    [100, 10],
  ] as const) {
    const item = `${count} variants, ${environments} environments`;
    const name = `variants-${count}-${environments}`;
    await engine.store(stateWith({ name, variants: count, environments }));
    if (count === 3)
      await cost("variant patch, key not known", item, () => variants?.(patch(name, []), context));
    await wear(name);
    await cost("variant patch", item, () => variants?.(patch(name, change), context));
    if (count === 3)
      await cost("variant patch that changes nothing", item, () => variants?.(patch(name, change), context));
  }
  return costs;
}

export function unitsOf(charges: Awaited<ReturnType<BenchEngine["takeCharges"]>>): {
  reads: number;
  writes: number;
} {
  const sum = (isRead: boolean) =>
    charges
      .filter(({ call }) => ["GetItem", "Query"].includes(call) === isRead)
      .reduce((total, { units }) => total + units, 0);
  return { reads: sum(true), writes: sum(false) };
}
