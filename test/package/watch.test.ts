/** `npm run dev` starts the server with --watch, which builds again what was changed. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newFolder } from "../infra/clients/admin/command-line.ts";
import { tag } from "../support/seed.ts";
import { startServerIn } from "../support/server.ts";

it("--watch builds again and reloads when a source changes, and keeps the data", async () => {
  const folder = newFolder().path;
  const copied = ["dist", "functions", "lib", "infra", "serverless.yml", "package.json", "tsconfig.json"];
  for (const name of copied) cpSync(name, path.join(folder, name), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"), "junction");
  const server = await startServerIn(folder, path.join(folder, "dist/tools/start.mjs"), "--watch");
  onTestFinished(() => void server.kill());
  await server.put("checkout", "before");
  const source = path.join(folder, "functions/tags.ts");

  writeFileSync(source, readFileSync(source, "utf8").replaceAll("version: 1,", "version: 2,"));

  const answer = async () => (await server.put("checkout", "after")).json();
  await expect.poll(answer, { timeout: 10_000 }).toMatchObject({ version: 2 });
  expect(await answer()).toMatchObject({ tags: expect.arrayContaining([tag("before")]) });
});
