/** What the command line does at a terminal only, at a terminal that script(1) of util-linux makes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";

let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  await atTerminal("apply infra/demo.json");
});

/** Everything that the terminal showed; `answer` is typed once it shows a question. */
async function atTerminal(command: string, answer = ""): Promise<string> {
  const line = `${process.execPath} dist/tools/admin.mjs --data ${folder} ${command}`;
  const child = spawn("script", ["-qec", line, "/dev/null"]);
  let shown = "";
  child.stdout.on("data", (chunk) => {
    if (!shown.includes("(y/N)") && String(chunk).includes("(y/N)")) child.stdin.write(`${answer}\r`);
    shown += chunk;
  });
  await once(child, "close");
  return shown;
}

it("what cannot be undone is asked about, and done on yes", async () => {
  const shown = await atTerminal("feature delete search", "y");

  expect(shown).toContain('Delete the feature "search"');
  expect(await atTerminal("feature list")).not.toContain("search");
});

it.each(["n", ""])("it is left alone when the answer is %j", async (answer) => {
  await atTerminal("feature delete search", answer);

  expect(await atTerminal("feature list")).toContain("search");
});

it("what takes longer than a second shows how far it is", async () => {
  const file = path.join(folder, "state.json");
  const features = Array.from({ length: 3000 }, (_, number) => ({
    name: `feature-${number}`,
    project: "default",
  }));
  const projects = [{ id: "default", environments: ["development", "production"] }];
  writeFileSync(file, JSON.stringify({ projects, features }));

  const shown = await atTerminal(`apply ${file}`);

  expect(shown).toMatch(/\d+\/300\d/);
  expect(shown).toContain("3000 created");
});
