/** What the command line does at a terminal only, at a terminal that script(1) of util-linux makes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { hasTerminal, noTerminal } from "../support/terminal.ts";

let folder: string;

beforeEach(async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  await atTerminal("apply infra/demo.json");
});

/** Everything that the terminal showed; the answer is typed once it shows a question. */
async function atTerminal(command: string, answer = ""): Promise<string> {
  return (await runAtTerminal(command, `${answer}\r`)).shown;
}

async function runAtTerminal(
  command: string,
  typed: string,
): Promise<{ shown: string; code: number | null }> {
  const line = `${process.execPath} dist/tools/admin.mjs --data ${folder} ${command}`;
  const child = spawn("script", ["-qec", line, "/dev/null"]);
  let shown = "";
  child.stdout.on("data", (chunk) => {
    if (!shown.includes("(y/N)") && String(chunk).includes("(y/N)")) child.stdin.write(typed);
    shown += chunk;
  });
  await once(child, "close");
  return { shown, code: child.exitCode };
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

it("what a pruned state file removes is listed line by line before the question", async () => {
  const file = path.join(folder, "less.json");
  const { projects, features } = JSON.parse(readFileSync("infra/demo.json", "utf8"));
  const [{ name, project, environments }] = features;
  writeFileSync(file, JSON.stringify({ projects, features: [{ name, project, environments }] }));

  const shown = await atTerminal(`apply ${file} --prune`, "n");

  expect(shown).toContain('~ feature "checkout"\r\n    - tags/simple:team-a\r\n- feature "search"\r\n');
});

it.each([
  ["Ctrl-C", "\u0003", 130],
  ["Ctrl-D", "\u0004", 1],
])("%s at the question ends the command, and nothing is changed", async (_, typed, expected) => {
  const { shown, code } = await runAtTerminal("feature delete search", typed);

  expect(code).toBe(expected);
  expect(shown.trimEnd().endsWith("burgee: nothing was changed")).toBe(true);
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
