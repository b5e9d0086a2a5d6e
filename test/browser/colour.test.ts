/** The colours of the command line, at a terminal that script(1) of util-linux makes. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { hasTerminal, noTerminal } from "../support/terminal.ts";

const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
const admin = `${process.execPath} dist/tools/admin.mjs --data ${folder}`;

beforeEach(({ skip }) => skip(!hasTerminal(), noTerminal));
beforeAll(() => void (hasTerminal() && atTerminal("apply infra/demo.json")));

/** What the terminal got, with its codes as words. */
function atTerminal(command: string, settings: Record<string, string> = {}): string {
  // Node takes a terminal of an unknown CI service for one without colours.
  const { NO_COLOR, FORCE_COLOR, NODE_DISABLE_COLORS, CI, ...rest } = process.env;
  const env = { ...rest, TERM: "xterm-256color", ...settings };
  const line = `stty cols 200; ${admin} ${command}`;
  const shown = execFileSync("script", ["-qec", line, "/dev/null"], { env, encoding: "utf8", stdio: "pipe" });
  const words = {
    "[1m": "<bold>",
    "[22m": "</bold>",
    "[32m": "<green>",
    "[31m": "<red>",
    "[33m": "<yellow>",
  };
  const readable = Object.entries(words).reduce(
    (text, [code, word]) => text.replaceAll(`\u001b${code}`, word),
    shown,
  );
  return readable.replaceAll("\u001b[39m", "</>").replaceAll("\r", "");
}

it.each([
  ["feature list", /^<bold>FEATURE +PROJECT +VARIANTS +TAGS<\/bold>\ncheckout /],
  ["feature show checkout", /\n<bold>VARIANT .+<\/bold>\nblue /],
  ["project list", /^<bold>PROJECT +ENVIRONMENTS<\/bold>\ndefault /],
  ["key list", /^<bold>KEY .+<\/bold>\ndemo /],
])("%s has a bold head", (command, expected) => {
  expect(atTerminal(command)).toMatch(expected);
});

it("differences are green, yellow and red", () => {
  const file = path.join(folder, "empty.json");
  writeFileSync(file, '{"features":[]}');
  const pruned = atTerminal(`apply ${file} --prune --dry-run`);
  const shown = atTerminal("project put default development production staging --dry-run");

  expect(shown).toContain(
    '<yellow>~ feature "search"</>\n<green>    + environment "staging": no variants</>\n',
  );
  expect(pruned).toContain('<red>- feature "search"</>\n');
});

it.each([{ NO_COLOR: "1" }, { TERM: "dumb" }])("with %j there are no colours", (settings) => {
  expect(atTerminal("feature list", settings)).toMatch(/^FEATURE +PROJECT +VARIANTS +TAGS\ncheckout /);
});
