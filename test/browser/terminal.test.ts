/** What the command line does at a terminal only, at a terminal that script(1) of util-linux makes. */
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { fileOf, newFolder, runAtTerminal } from "../infra/clients/admin/command-line.ts";
import { useUnleash } from "../infra/clients/admin/unleash-server.ts";
import { times } from "../support/patching.ts";
import { hasTerminal, noTerminal } from "../support/terminal.ts";

const unleash = await useUnleash();
let folder: string;

beforeEach(async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  folder = newFolder().path;
  await atTerminal("apply infra/demo.json");
});

const atTerminal = (command: string, typed = "") =>
  runAtTerminal(`${process.execPath} dist/tools/admin.mjs --data ${folder} ${command}`, () => typed);

it.each([
  ["yes", "y\r", 0, ""],
  ["no", "n\r", 1, "burgee: nothing was changed"],
  ["nothing", "\r", 1, "burgee: nothing was changed"],
  ["Ctrl-C", "\u0003", 130, "burgee: nothing was changed"],
  ["Ctrl-D", "\u0004", 1, "burgee: nothing was changed"],
])("what cannot be undone is asked about, and done on yes alone: %s", async (_, typed, code, last) => {
  const asked = await atTerminal("feature delete search", typed);

  expect(asked.shown).toContain('Delete the feature "search"');
  expect(asked.code).toBe(code);
  expect(asked.shown.trimEnd()).toMatch(new RegExp(`${last}$`));
  const { shown } = await atTerminal("feature list");
  expect(shown.includes("search")).toBe(code !== 0);
});

it("what a pruned state file removes is listed line by line before the question", async () => {
  const { projects, features } = JSON.parse(readFileSync("infra/demo.json", "utf8"));
  const [{ name, project, environments }, ...others] = features;
  const less = fileOf({ projects, features: [{ name, project, environments }] });
  const removed = others
    .map((one: { name: string }) => `- feature "${one.name}"\r\n`)
    .sort()
    .join("");

  const { shown } = await atTerminal(`apply ${less} --prune`, "n\r");

  expect(shown).toContain(`~ feature "checkout"\r\n    - tags/simple:team-a\r\n${removed}`);
});

it("what takes longer than a second shows how far it is", async () => {
  const features = times(3000, (number) => ({ name: `feature-${number}`, project: "default" }));
  const projects = [{ id: "default", environments: ["development", "production"] }];

  const { shown } = await atTerminal(`apply ${fileOf({ projects, features })}`);

  expect(shown).toMatch(/\d+\/300\d/);
  expect(shown).toContain("3000 created");
});

it("a push that takes longer than a second shows how far it is", async () => {
  unleash.variants.set("checkout", [{ name: "old", weight: 1000 }]);
  unleash.fate = (put) => setTimeout(put ? 1100 : 0, "pass");

  const { shown } = await atTerminal(`push --to ${unleash.address} --environment production`);

  expect(shown).toContain('\rPushed: 1/1\r\u001b[K~ feature "checkout"');
  expect(shown).toContain("1 pushed, 0 failed, 0 not attempted, 0 unchanged.");
});
