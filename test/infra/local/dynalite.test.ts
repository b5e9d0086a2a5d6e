/** What dynalite would leave behind. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { AbstractValueIterator } from "abstract-level";
import { afterEach, expect, it, vi } from "vitest";
import { createDynalite } from "../../../infra/local/dynalite.ts";
import { readTableDefinition } from "../../../infra/local/table.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { createClient } from "../../../lib/store/client.ts";

const server = createDynalite();
afterEach(() => server.close());

it("a query leaves no iterator open", async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  Object.assign(process.env, {
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  await createTable("iterators", readTableDefinition());
  const closed = vi.spyOn(AbstractValueIterator.prototype, "close");

  for (let count = 0; count < 3; count++) {
    await createClient().send(
      new QueryCommand({
        TableName: "iterators",
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": "nothing" },
      }),
    );
  }

  await expect.poll(() => closed.mock.calls.length).toBe(3);
});
