/** What the embedded engine opens to read from, it closes. */
import { createRequire } from "node:module";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, expect, it, vi } from "vitest";
import { readTableDefinition } from "../../../infra/local/table.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { writeState } from "../../../infra/store/write-state.ts";
import { createClient } from "../../../lib/store/client.ts";
import { openSession } from "../../../lib/store/session.ts";
import { startDynalite } from "../../support/dynalite.ts";

const requireAsDynalite = createRequire(createRequire(import.meta.url).resolve("dynalite"));
const { prototype } = requireAsDynalite("abstract-level").AbstractValueIterator;

afterEach(() => vi.restoreAllMocks());

it("after each scan, whether it comes to the end or not", async () => {
  const { endpoint, stop } = await startDynalite();
  Object.assign(process.env, {
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  });
  await createTable("burgee", readTableDefinition());
  const session = openSession({ client: createClient(), table: "burgee", remainingMs: () => 10_000 });
  const projects = ["a", "b", "c"].map((id) => ({ id, environments: [] }));
  await writeState(session, { projects, features: [], apiKeys: [] });
  const opened = callersOf("next");
  const closed = callersOf("close");

  for (const Limit of [1, 2, 10]) {
    const scan = new ScanCommand({ TableName: "burgee", Limit });
    await session.send(scan);
  }

  expect(opened.size).toBeGreaterThan(2);
  await expect.poll(() => [...opened].filter((iterator) => !closed.has(iterator))).toEqual([]);
  await stop();
});

/** The iterators on which this method was called from now on. */
function callersOf(method: "next" | "close"): Set<unknown> {
  const callers = new Set<unknown>();
  const original = prototype[method];
  vi.spyOn(prototype, method).mockImplementation(function (this: unknown) {
    callers.add(this);
    return original.call(this);
  });
  return callers;
}
