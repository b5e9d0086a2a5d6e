/** The table in memory answers as a real engine does: whatever is explored on it would be so there. */
import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { expect, inject, it } from "vitest";
import { type EngineResponse, NotUnderstood } from "../../../infra/engine/refusals.ts";
import type { Item } from "../../../infra/engine/values.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { ask, comparable } from "../../support/engines.ts";
import { sequences } from "../../support/sequences.ts";
import { settingsOf } from "../../support/table.ts";
import { applyWrite, type ExploredTable, type TableCall, takeStep } from "./table.ts";

it("answers sequences of calls as the engine does", { timeout: 600_000 }, async () => {
  const name = `explored-${randomUUID()}`;
  const endpoint = inject("engine");
  Object.assign(process.env, settingsOf(endpoint));
  await createTable(name);
  let sequence = 0;
  await fc.assert(
    fc.asyncProperty(sequences(name), async (calls) => {
      // All sequences share a table, and each has partitions of its own.
      sequence += 1;
      const ofSequence = JSON.stringify(calls).replaceAll("PREFIX", String(sequence));
      let table: ExploredTable = new Map();
      for (const call of JSON.parse(ofSequence) as TableCall[]) {
        const expected = comparable(await ask(endpoint, call));
        const answered = answer(table, call);
        table = answered.table;
        const { Item, ...others } = comparable(answered.response);
        // Not every engine returns the item that failed a condition.
        const isShown = Item !== undefined && expected.Item !== undefined;
        expect({ call, ...others, ...(isShown && { Item }) }).toEqual({ call, ...expected });
      }
    }),
  );
});

const key = { pk: { S: "a" }, sk: { S: "b" } };
it.each([
  { operation: "TransactGetItems", input: { TransactItems: [] } },
  { operation: "GetItem", input: { TableName: "table", Key: key } },
  { operation: "PutItem", input: { TableName: "table", Item: key, Expected: {} } },
  {
    operation: "PutItem",
    input: { TableName: "table", Item: key, ConditionExpression: "begins_with(a, :b)" },
  },
  { operation: "UpdateItem", input: { TableName: "table", Key: key, UpdateExpression: "ADD a :b" } },
  { operation: "BatchWriteItem", input: { RequestItems: { table: [{ DeleteRequest: { Key: key } }] } } },
])("refuses what it does not understand: %j", (call) => {
  expect(() => answer(new Map(), call)).toThrow(NotUnderstood);
});

function answer(table: ExploredTable, call: TableCall): { table: ExploredTable; response: EngineResponse } {
  const seen: Item[] = [];
  let after = table;
  for (;;) {
    const step = takeStep(after, call, seen);
    if (step.write) after = applyWrite(after, step.write);
    if ("response" in step) return { table: after, response: step.response };
    seen.push(step.seen);
  }
}
