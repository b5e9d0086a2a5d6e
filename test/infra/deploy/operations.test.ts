/** The commands of the operations page, as they stand there, one after the other. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { newFolder, useCommandLine } from "../admin/command-line.ts";

const page = readFileSync("infra/OPERATIONS.md", "utf8");
const lines = page.match(/^npm run --silent admin -- --table \S+ .+$/gm) ?? [];
const file = path.join(newFolder().path, "then.json");
const commandLine = await useCommandLine();

it("there are some for a first key, for its rotation and for what was restored", () => {
  expect(lines).toHaveLength(9);
});

it.each(lines)("%s", async (line) => {
  const [command = ""] = line.split(/ [#|]/);
  const given = command.trim().replace("then.json", file).split(" ").slice(7);
  // There is no terminal for a question, and a pipe is for a shell.
  if (given[1] === "revoke") given.push("--yes");

  const { code, out, err } = await commandLine.run(...given);

  expect(code, err).toBe(0);
  if (given[0] === "export") {
    const { apiKeys, ...rest } = JSON.parse(out);
    expect(apiKeys.length).toBeGreaterThan(0);
    writeFileSync(file, JSON.stringify(rest));
  }
});
