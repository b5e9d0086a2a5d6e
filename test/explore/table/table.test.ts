/** The table in memory answers as a real engine does: whatever is explored on it would be so there. */
import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { expect, inject, it } from "vitest";
import { createTable as createRealTable } from "../../../infra/store/create-table.ts";
import { settingsOf } from "../../support/table.ts";
import { type Response, respond } from "./calls.ts";
import { sequences, type TableCall } from "./sequences.ts";
import { createTable, type Table } from "./table.ts";
import type { Item } from "./values.ts";

const runs = Number(process.env.TABLE_SEQUENCES ?? 100);

it(`answers ${runs} sequences of calls as the engine does`, { timeout: 600_000 }, async () => {
  const name = `explored-${randomUUID()}`;
  const endpoint = inject("engine");
  Object.assign(process.env, settingsOf(endpoint));
  await createRealTable(name);
  const table = createTable(name);
  let sequence = 0;
  await fc.assert(
    fc.asyncProperty(sequences({ table: name, prefix: "PREFIX" }), async (calls) => {
      sequence += 1;
      for (const call of calls.map((one) => withPrefix(one, `${sequence}-`))) {
        const expected = comparable(await ask(endpoint, call), call);
        const answered = comparable(answer(table, call), call);
        // Not every engine brings along the item that stood in the way.
        if (expected.Item === undefined) delete answered.Item;
        expect({ call, ...answered }).toEqual({ call, ...expected });
      }
    }),
    { numRuns: runs },
  );
});

it("refuses what it does not understand", () => {
  const table = createTable("t");
  const calls: TableCall[] = [
    { operation: "TransactGetItems", input: { TransactItems: [] } },
    { operation: "GetItem", input: { TableName: "t", Key: { pk: { S: "a" }, sk: { S: "b" } } } },
    { operation: "PutItem", input: { TableName: "t", Item: {}, Expected: {} } },
    {
      operation: "PutItem",
      input: {
        TableName: "t",
        Item: { pk: { S: "a" }, sk: { S: "b" } },
        ConditionExpression: "attribute_type(a, b)",
      },
    },
  ];
  for (const call of calls) expect(() => answer(table, call)).toThrow("does not understand");
});

/** Each sequence has a partition of its own, as all of them share a table. */
function withPrefix(call: TableCall, prefix: string): TableCall {
  return JSON.parse(JSON.stringify(call).replaceAll("PREFIX", prefix));
}

function answer(table: Table, call: TableCall): Response {
  const seen: (Item | undefined)[] = [];
  for (;;) {
    const response = respond(table, call, seen);
    if (response) return response;
  }
}

async function ask(endpoint: string, { operation, input }: TableCall): Promise<Response> {
  const signature =
    "Credential=local/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0";
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "x-amz-date": "20260101T000000Z",
      authorization: `AWS4-HMAC-SHA256 ${signature}`,
    },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: (await response.json()) as object };
}

/** Without words, which differ, and in one order where there is none. */
function comparable({ status, body }: Response, { operation }: TableCall): Record<string, unknown> {
  const { __type, message, Message, ConsumedCapacity, ...rest } = body as Record<string, unknown>;
  const answer = JSON.parse(JSON.stringify(rest), (name, value) =>
    Array.isArray(value) &&
    /^(SS|NS|BS|Items|explored-.*)$/.test(name) &&
    (name !== "Items" || operation === "Scan")
      ? value.map(inOrder).sort()
      : value,
  );
  const type = String(__type ?? "").split("#")[1];
  return { status, type, ...answer };
}

/** Whatever order its members came in. */
function inOrder(value: object): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
