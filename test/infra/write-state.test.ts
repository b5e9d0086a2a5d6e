/** Writes batches of items: DynamoDB may leave some of a batch unprocessed, as when it throttles. */
import type { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { writeState } from "../../infra/store/write-state.ts";
import type { ProjectItem } from "../../lib/store/items.ts";
import type { Session } from "../../lib/store/session.ts";
import { times } from "../support/patching.ts";
import { projectOf } from "../support/seed.ts";

it("sends the items that were left unprocessed again, until there are none", async () => {
  const projects = times(60, (index) => projectOf(`project-${index}`));
  const stored: string[] = [];
  /** Stores all but the last three items of a batch, unless it has no more. */
  const send = async ({ input: { RequestItems: { table = [] } = {} } }: BatchWriteCommand) => {
    const count = Math.max(table.length - 3, 3);
    const items = table.map(({ PutRequest }) => PutRequest?.Item as ProjectItem);
    stored.push(...items.slice(0, count).map(({ id }) => id));
    const rest = table.slice(count);
    return rest.length > 0 ? { UnprocessedItems: { table: rest } } : {};
  };
  const session = { table: "table", send: send as unknown as Session["send"] } as Session;

  await writeState(session, { projects, features: [], apiKeys: [] });

  expect(stored.toSorted()).toEqual(projects.map(({ id }) => id).toSorted());
});
