/** A folder keeps what was acknowledged, says when it cannot, and opens fast. */
import { expect, it } from "vitest";
import { openFolder } from "../../../infra/engine/storage.ts";
import { processorMs } from "../../support/cost.ts";
import { times } from "../../support/patching.ts";
import { runProgram } from "../../support/program.ts";
import { newFolder } from "../clients/admin/command-line.ts";
import { buildWriter, killRepeatedly } from "./killed.ts";
import { schema } from "./schema.ts";

it("has all that was acknowledged to ten callers before a kill", { timeout: 120_000 }, async () => {
  const { acknowledged, missing } = await killRepeatedly(buildWriter(), newFolder().path, 5);

  expect(missing).toEqual([]);
  expect(acknowledged).toBeGreaterThan(50);
});

it("fails the call that the disk refuses, and all later ones, and says so", { timeout: 60_000 }, async () => {
  const folder = newFolder().path;
  // No file may have more than 100 KB.
  const command = `ulimit -f 200; exec "${process.execPath}" "${buildWriter()}" "${folder}"`;
  const { code, out } = await runProgram("sh", ["-c", command]);

  const lines = out.split("\n");
  expect(code).toBe(1);
  expect(lines.find((line) => !/^\d+$/.test(line))).toMatch(
    `500 the data in ${folder} could not be written; every call fails until a restart: `,
  );
  const engine = await openFolder(folder);
  const stored = await engine.call("Scan", { TableName: "written" });
  expect(Number(stored.body.Count)).toBeGreaterThanOrEqual(lines.filter((line) => /^\d+$/.test(line)).length);
  await engine.close();
});

it("opens 50,000 items within a second of processor time", { timeout: 120_000 }, async () => {
  const folder = newFolder().path;
  const filled = await openFolder(folder);
  await filled.call("CreateTable", { TableName: "written", ...schema });
  for (let batch = 0; batch < 2000; batch++) {
    const requests = times(25, (index) => ({
      PutRequest: { Item: { pk: { S: `${batch}` }, sk: { S: `${index}` }, text: { S: "x".repeat(300) } } },
    }));
    await filled.call("BatchWriteItem", { RequestItems: { written: requests } });
  }
  await filled.close();

  const open = async () => {
    const engine = await openFolder(folder);
    await engine.close();
  };
  expect(await processorMs(open, 1000)).toBeLessThan(1000);
});
