/** Folders of the engine: nothing acknowledged is missing after kills, they always open, and large ones open fast. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { openFolder } from "../../infra/engine/storage.ts";
import { newFolder } from "../infra/clients/admin/command-line.ts";
import { buildWriter, killRepeatedly } from "../infra/engine/kill-writer.ts";
import { schema } from "../infra/engine/schema.ts";
import { processorMs } from "../support/cost.ts";
import { times } from "../support/patching.ts";

const kills = 100;

// Two writers, one for each processor.
it(`loses no acknowledged write when the writer of each of two folders is killed ${kills} times`, async () => {
  const program = buildWriter();
  const results = await Promise.all(
    times(2, () => killRepeatedly(program, mkdtempSync(path.join(tmpdir(), "burgee-soak-")), kills)),
  );

  for (const { acknowledged, missing } of results) {
    expect(missing).toEqual([]);
    process.stderr.write(`\n${acknowledged.length} writes acknowledged, killed ${kills} times\n`);
  }
});

it("opens 50,000 items of 1 KB in about a second of processor time", async () => {
  const folder = newFolder().path;
  const filled = await openFolder(folder);
  await filled.call("CreateTable", { TableName: "written", ...schema });
  for (let batch = 0; batch < 2000; batch++) {
    const requests = times(25, (index) => ({
      PutRequest: { Item: { pk: { S: `${batch}` }, sk: { S: `${index}` }, text: { S: "x".repeat(1000) } } },
    }));
    const { status, body } = await filled.call("BatchWriteItem", { RequestItems: { written: requests } });
    expect({ status, left: body.UnprocessedItems }).toEqual({ status: 200, left: {} });
  }
  await filled.close();

  const open = async () => {
    const engine = await openFolder(folder);
    await engine.close();
  };
  const most = 1200;
  expect(await processorMs(open, most)).toBeLessThanOrEqual(most);
});
