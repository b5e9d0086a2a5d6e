/** Kills the engine 200 times while ten callers write into its folder: nothing acknowledged is missing, and it always opens. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { killRepeatedly } from "../infra/engine/killed.ts";

const kills = 200;

it(`keeps each acknowledged write through ${kills} kills`, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-soak-"));
  const { acknowledged, missing } = await killRepeatedly(folder, kills);

  expect(missing).toEqual([]);
  process.stderr.write(`\n${acknowledged} writes acknowledged, killed ${kills} times\n`);
});
