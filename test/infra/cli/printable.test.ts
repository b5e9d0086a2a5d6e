/** What reaches a terminal: of the command line, and of the local server when it starts. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { printable, printableLines } from "../../../infra/cli/printable.ts";
import { times } from "../../support/patching.ts";
import { tag } from "../../support/seed.ts";
import { newFolder, useCommandLine } from "../clients/admin/command-line.ts";

const range = (from: number, to: number) => times(to - from + 1, (index) => from + index);

/** C0, DEL and C1, bidirectional controls, line separators, zero-width characters, lone surrogates. */
const harmful = [
  ...[range(0, 0x1f), range(0x7f, 0x9f), range(0x202a, 0x202e), range(0x2066, 0x2069)].flat(),
  ...[0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x061c, 0x2028, 0x2029, 0x2060, 0xfeff, 0xdfff, 0xd800],
].map((unit) => String.fromCharCode(unit));

/** The UTF-16 units of a text that should have been escaped. */
const harmfulIn = (text: string) => text.split("").filter((unit) => unit !== "\n" && harmful.includes(unit));

it("printable escapes what controls a terminal, and what cannot be seen, and leaves everything else", () => {
  for (const unit of harmful) {
    const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
    expect(printable(`a${unit}b`)).toBe(`a\\u${digits}b`);
  }
  const text = "checkout, Zoë, 東京, עברית, \u{1f600}, e\u0301 \\u001b";
  expect(printable(text)).toBe(text);
});

it("printable keeps the lines of a text, and the value of JSON", () => {
  const value = { [harmful.join("")]: [...harmful, "\u{e0041}"] };
  const json = printableLines(JSON.stringify(value, null, 2));

  expect(JSON.parse(json)).toEqual(value);
  expect(harmfulIn(json)).toEqual([]);
});

const nasty = "\u001b[2J\u0007\u009b31m\u202e\u2028\u200b\ufeffz";
const escaped = "\\u001b[2J\\u0007\\u009b31m\\u202e\\u2028\\u200b\\ufeffz";
const state = {
  projects: [{ id: nasty, environments: [nasty] }],
  features: [
    {
      name: nasty,
      project: nasty,
      tags: [tag(`${nasty}\nproject  other`)],
      environments: { [nasty]: { variants: [] } },
    },
  ],
  apiKeys: [{ name: nasty, key: "a-key-of-sixteen-characters" }],
};

const line = await useCommandLine(state);

function expectPrintable({ out, err }: { out: string; err: string }, expected = escaped): void {
  expect(out + err).toContain(expected);
  expect(harmfulIn(out + err)).toEqual([]);
}

it.each([
  ["feature", "list"],
  ["feature", "show", nasty],
  ["feature", "show", `${nasty}!`],
  ["key", "list"],
  ["export"],
  ["feature", nasty],
  ["apply", nasty],
])("the command line prints no control character for %j %j", async (...given) => {
  expectPrintable(await line.run(...given));
});

it("the local server prints no control character of the names of a state", async () => {
  const permissions = [{ permission: "ADMIN" }];
  // Of the harmful characters, a header can carry those of Latin-1.
  const apiKeys = [{ name: nasty, key: "a-key-of-sixteen-characters \u009b31m", permissions }];
  const file = newFolder().file("state.json", { ...state, apiKeys });
  const server = spawn(process.execPath, ["dist/tools/start.mjs", "--port", "0", "--state", file]);
  server.stdout.on("data", (chunk) => {
    if (String(chunk).includes("\nready ")) server.kill();
  });

  const [out, err] = await Promise.all([text(server.stdout), text(server.stderr)]);
  expectPrintable({ out, err }, "characters \\u009b31m");
});
