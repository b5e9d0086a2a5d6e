/** A folder keeps what was acknowledged, and says when it cannot. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { hasDropped } from "../../../infra/engine/checksums.ts";
import { runProgram } from "../../support/program.ts";
import { newFolder } from "../clients/admin/command-line.ts";
import { buildWriter, killRepeatedly, missingIn } from "./kill-writer.ts";

it("has all that was acknowledged to ten callers before the process was killed", {
  timeout: 120_000,
}, async () => {
  const { acknowledged, missing } = await killRepeatedly(buildWriter(), newFolder().path, 5);

  expect(missing).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(50);
});

it("fails the call whose write the disk refuses, and every later call, with the reason", {
  timeout: 60_000,
}, async () => {
  const folder = newFolder().path;
  // No file may have more than 200 blocks of 512 bytes.
  const command = `ulimit -f 200; exec "${process.execPath}" "${buildWriter()}" "${folder}"`;
  const { code, out } = await runProgram("sh", ["-c", command]);

  const lines = out.split("\n").slice(0, -1);
  const acknowledged = lines.filter((line) => /^\d+$/.test(line));
  const refusals = lines.filter((line) => !acknowledged.includes(line));
  expect(code).toBe(1);
  expect(acknowledged.length).toBeGreaterThan(0);
  // Of the ten callers, and of a call after them.
  expect(refusals).toHaveLength(11);
  for (const refusal of refusals)
    expect(refusal).toMatch(
      `500 the data in ${folder} could not be written; every call fails until a restart: `,
    );
  expect(await missingIn(folder, acknowledged)).toEqual([]);
});

it("finds in LevelDB's log that a part was dropped, also while another process has moved the log", () => {
  const { path: folder } = newFolder();
  const [log, old] = ["LOG", "LOG.old"].map((name) => path.join(folder, name)) as [string, string];
  mkdirSync(folder, { recursive: true });

  expect(hasDropped(folder)).toBe(false);
  writeFileSync(log, "2026/11/30-17:23:50 Recovering log #3\nIgnoring error: dropping 77 bytes\n");
  expect(hasDropped(folder)).toBe(true);
  renameSync(log, old);
  expect(hasDropped(folder)).toBe(true);
  writeFileSync(log, "2026/11/30-17:23:51 Lock\n");
  expect(hasDropped(folder)).toBe(true);
});
