/** `npm run dev`, on a copy of the sources. */
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { type LocalServer, startServerIn } from "../../support/server.ts";

let server: LocalServer;
afterEach(() => server.kill());

const copied = ["dist", "functions", "lib", "infra", "serverless.yml", "package.json", "tsconfig.json"];

it("--watch builds again and reloads when a source changes, and keeps the data", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  for (const name of copied) cpSync(name, path.join(folder, name), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"), "junction");
  server = await startServerIn(folder, path.join(folder, "dist/tools/start.mjs"), "--watch");
  await server.put("checkout", "before");
  const source = path.join(folder, "functions/tags.ts");

  writeFileSync(source, readFileSync(source, "utf8").replaceAll("version: 1, tags", "version: 2, tags"));

  const answer = async () => (await server.put("checkout", "after")).json();
  await expect.poll(answer, { timeout: 10_000 }).toMatchObject({ version: 2 });
  expect(await answer()).toMatchObject({
    tags: expect.arrayContaining([{ type: "simple", value: "before" }]),
  });
});
