/** Kills the writers of two folders, which use both processors: no acknowledged write is missing, and the folders always open. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { buildWriter, killRepeatedly } from "../infra/engine/killed.ts";
import { times } from "../support/patching.ts";

const kills = 100;

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
