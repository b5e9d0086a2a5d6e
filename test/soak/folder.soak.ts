/** Kills the engines of two folders 100 times each while ten callers write into each: nothing acknowledged is missing, and it always opens. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { buildWriter, killRepeatedly } from "../infra/engine/killed.ts";
import { times } from "../support/patching.ts";

const kills = 100;

it(`keeps each acknowledged write of two folders through ${kills} kills each`, async () => {
  const program = buildWriter();
  const results = await Promise.all(
    times(2, () => killRepeatedly(program, mkdtempSync(path.join(tmpdir(), "burgee-soak-")), kills)),
  );

  for (const { acknowledged, missing } of results) {
    expect(missing).toEqual([]);
    process.stderr.write(`\n${acknowledged} writes acknowledged, killed ${kills} times\n`);
  }
});
