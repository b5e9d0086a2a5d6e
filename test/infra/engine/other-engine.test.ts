/**
 * The embedded engine responds as another one does: dynalite in `npm test`, Amazon's own in `npm run test:dynamodb-local`.
 * What dynalite does otherwise than Amazon's is left out with it: units, and the item that failed a condition.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import dynalite from "dynalite";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { tableDefinition } from "../../../infra/build/deployment.mjs";
import { Engine } from "../../../infra/engine/engine.ts";
import type { EngineResponse } from "../../../infra/engine/refusals.ts";
import type { TableCall } from "../../explore/table/table.ts";
import { ask, comparable } from "../../support/engines.ts";
import { sequences } from "../../support/sequences.ts";
import { hostile } from "./hostile.ts";
import { pagedSequences } from "./pages.ts";

const isAmazons = process.env.MODE === "dynamodb-local";
const TableName = `compared-${randomUUID()}`;
const engine = new Engine();
let judge: string;
let sequence = 0;
const ending: (() => void)[] = [];

beforeAll(async () => {
  judge = isAmazons ? inject("engine") : await startDynalite();
  const create = { operation: "CreateTable", input: { TableName, ...tableDefinition } };
  expect([engine.call(create.operation, create.input).status, (await ask(judge, create)).status]).toEqual([
    200, 200,
  ]);
});
afterAll(() => {
  for (const end of ending) end();
});

async function startDynalite(): Promise<string> {
  const server = dynalite({ createTableMs: 0 }).listen(0, "127.0.0.1");
  await once(server, "listening");
  ending.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** All sequences share a table, and each has partitions of its own. */
const own = (calls: readonly TableCall[]): TableCall[] =>
  JSON.parse(JSON.stringify(calls).replaceAll("PREFIX", String(++sequence)));

/** Amazon's engine returns some units that were not asked for. */
function shown(response: EngineResponse, { operation, input }: TableCall): object {
  const { Item, ...others } = comparable(response);
  const units = input.ReturnConsumedCapacity === "TOTAL" ? response.body.ConsumedCapacity : undefined;
  // dynalite does not return the item that failed a condition.
  const item = isAmazons || operation === "GetItem" ? Item : undefined;
  return { ...others, Item: item, units: isAmazons ? units : undefined };
}

const isRefused = ({ body }: EngineResponse) => String(body.message).startsWith("The embedded engine serves");

it.each([
  { what: "writes with conditions", calls: sequences(TableName) },
  { what: "queries, projections, pages and units", calls: pagedSequences(TableName) },
])("responds to sequences as another engine does: $what", { timeout: 600_000 }, async ({ calls }) => {
  await fc.assert(
    fc.asyncProperty(calls, async (some) => {
      for (const call of own(some)) {
        const answered = engine.call(call.operation, call.input);
        expect({ call, ...shown(answered, call) }).toEqual({ call, ...shown(await ask(judge, call), call) });
      }
    }),
    { numRuns: 60 },
  );
});

it("refuses hostile calls, or responds as Amazon's engine does", { timeout: 600_000 }, async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(hostile(fc.oneof(sequences(TableName), pagedSequences(TableName))), async (some) => {
      for (const call of own(some)) {
        const answered = engine.call(call.operation, call.input);
        if (isRefused(answered)) refused++;
        // dynalite does not: it loses an attribute "__proto__", and returns what an index does not project.
        else if (!isAmazons) expect([200, 400]).toContain(answered.status);
        else
          expect({ call, ...shown(answered, call) }).toEqual({
            call,
            ...shown(await ask(judge, call), call),
          });
      }
    }),
    { numRuns: 100 },
  );
  expect(refused).toBeGreaterThan(50);
});

it("stores nothing of a call that it refuses for a number that an index cannot order", () => {
  const [numbers, own] = ["numbers", new Engine()];
  const key = [{ AttributeName: "pk", KeyType: "HASH" }];
  const index = { IndexName: "byNumber", KeySchema: [{ AttributeName: "n", KeyType: "HASH" }] };
  own.call("CreateTable", {
    TableName: numbers,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "n", AttributeType: "N" },
    ],
    KeySchema: key,
    GlobalSecondaryIndexes: [{ ...index, Projection: { ProjectionType: "ALL" } }],
  });
  const item = (pk: string, n: string) => ({ pk: { S: pk }, n: { N: n } });

  const put = own.call("PutItem", { TableName: numbers, Item: item("a", "1.5") });
  const batch = own.call("BatchWriteItem", {
    RequestItems: {
      [numbers]: ["1", "1.5"].map((n) => ({ PutRequest: { Item: item(n, n) } })),
    },
  });

  expect([put.status, batch.status]).toEqual([400, 400]);
  expect(own.call("Scan", { TableName: numbers }).body).toMatchObject({ Count: 0 });
});

const named = (name: string): TableCall => {
  const Item = { pk: { S: "names" }, sk: { S: "a" }, l: { L: [{ M: { [name]: { S: "x" } } }] } };
  return { operation: "PutItem", input: { TableName, Item } };
};

it.each([
  ["", 400],
  ["x".repeat(255), 200],
])("a map is put if each of its names has characters: %#", async (name, status) => {
  const put = named(name);

  expect(engine.call(put.operation, put.input).status).toBe(status);
  // dynalite puts any.
  if (isAmazons || status === 200) expect((await ask(judge, put)).status).toBe(status);
});

// Amazon's engine for one machine responds with 500 to both.
it.each([
  ["x".repeat(65_535), 200],
  ["é".repeat(32_768), 400],
])("a map is put only if DynamoDB has room for the names in it: %#", (name, status) => {
  const own = new Engine();
  own.call("CreateTable", { TableName, ...tableDefinition });
  const put = named(name);

  expect(own.call(put.operation, put.input).status).toBe(status);
});

const nested = (levels: number): object => (levels === 1 ? { S: "x" } : { M: { a: nested(levels - 1) } });
const bounded = (sk: string) => ({ pk: { S: "bounded" }, sk: { S: sk } });
const pathOf = (names: number) => ["m", ...Array(names - 1).fill("a")].join(".");
const put = (levels: number) => ({
  operation: "PutItem",
  input: { TableName, Item: { ...bounded("item"), m: nested(levels) } },
});
const update = (UpdateExpression: string, more: object = {}) => ({
  operation: "UpdateItem",
  input: { TableName, Key: bounded("item"), UpdateExpression, ...more },
});
const set = (levels: number) =>
  update(`SET ${pathOf(21)} = :v`, { ExpressionAttributeValues: { ":v": nested(levels) } });
const compared = (times: number) =>
  update("SET s = :v", {
    ConditionExpression: Array(times).fill("sk = :v").join(" AND "),
    ExpressionAttributeValues: { ":v": { S: "item" } },
  });
const page = (start: string) => ({
  operation: "Query",
  input: {
    ...{ TableName, KeyConditionExpression: "pk = :pk AND sk > :sk", ExclusiveStartKey: bounded(start) },
    ExpressionAttributeValues: { ":pk": { S: "bounded" }, ":sk": { S: "b" } },
  },
});

it.each([
  ["an item of 32 levels", put(32), 200],
  ["an item of 33 levels", put(33), 400],
  ["a value that makes 32 levels", set(12), 200],
  ["a value that makes 33 levels", set(13), 400],
  ["a path of 32 names", update(`REMOVE ${pathOf(32)}`), 200],
  ["a path of 33 names", update(`REMOVE ${pathOf(33)}`), 400],
  ["299 operators", compared(150), 200],
  ["301 operators", compared(151), 400],
  ["a page that begins after its condition", page("c"), 200],
  ["a page that begins before it", page("a"), 400],
  ["a page that begins where it ends", page("b"), 400],
])("bounds what it accepts as DynamoDB does: %s", async (_, call, status) => {
  const deep = put(32);
  engine.call(deep.operation, deep.input);
  expect(engine.call(call.operation, call.input).status).toBe(status);
  if (!isAmazons) return;
  await ask(judge, deep);
  expect((await ask(judge, call)).status).toBe(status);
});

it("refuses an item with a name of an attribute that DynamoDB has no room for", () => {
  const own = new Engine();
  own.call("CreateTable", { TableName, ...tableDefinition });
  const Item = { ...bounded("item"), ["x".repeat(65_536)]: { S: "x" } };

  expect(own.call("PutItem", { TableName, Item }).status).toBe(400);
});

it("has all items in the pages of a scan", async () => {
  const read: unknown[] = [];
  let start: object = {};
  do {
    const { body } = engine.call("Scan", { TableName, Limit: 3, ...start });
    read.push(...(body.Items as unknown[]));
    start = body.LastEvaluatedKey ? { ExclusiveStartKey: body.LastEvaluatedKey } : {};
  } while (Object.keys(start).length > 0);

  const whole = engine.call("Scan", { TableName }).body;
  expect(read).toEqual(whole.Items);
  if (!isAmazons) return;
  const { body } = await ask(judge, { operation: "Scan", input: { TableName } });
  expect(whole.Count).toBe(body.Count);
});
