/** Kills the local server repeatedly at random while it is called: no acknowledged change is missing. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { startServer } from "../support/server.ts";

const kills = 20;
const requests = 1000;

it(`loses none of ${requests} acknowledged requests when killed ${kills} times`, async () => {
  const data = path.join(mkdtempSync(path.join(tmpdir(), "burgee-soak-")), "data");
  const acknowledged: string[] = [];
  let killed = 0;
  let sent = 0;
  while (acknowledged.length < requests || killed < kills) {
    const server = await startServer("--data", data);
    const enough = acknowledged.length + 30 + Math.random() * 40;
    let isAlive = true;
    const worker = async () => {
      while (isAlive) {
        const tag = `tag-${sent++}`;
        const status = await server.put("checkout", tag).then(
          (answer) => answer.status,
          () => undefined,
        );
        if (status === 201) acknowledged.push(tag);
      }
    };
    const workers = Array.from({ length: 8 }, worker);
    while (acknowledged.length < enough) await setTimeout(1);
    await server.kill("SIGKILL");
    isAlive = false;
    killed++;
    await Promise.all(workers);
  }

  const server = await startServer("--data", data);
  const { tags } = (await (await server.put("checkout", "the-last")).json()) as { tags: { value: string }[] };
  await server.kill();
  process.stderr.write(`\n${acknowledged.length} of ${sent} requests acknowledged, killed ${killed} times\n`);
  const stored = new Set(tags.map(({ value }) => value));
  expect(acknowledged.filter((tag) => !stored.has(tag))).toEqual([]);
});
