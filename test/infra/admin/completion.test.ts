/** `completion SHELL`, as a bash that has read the script completes what is typed. */
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { done, fileOf, run } from "./command-line.ts";

const { out: script } = await run(["completion", "bash"]);
const file = fileOf(Buffer.from(script));

/** The candidates for the last word. */
function complete(...typed: string[]): string[] {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _burgee; echo "\${COMPREPLY[@]}"`;
  const out = execFileSync("bash", ["-c", program, "bash", file, "burgee", ...typed], { encoding: "utf8" });
  return out.trim().split(" ");
}

const shared = ["--data", "--endpoint", "--table", "--json", "--help"];

it("completes commands, those below them, and their options", () => {
  expect(complete("")).toEqual(expect.arrayContaining(["apply", "feature", "completion", ...shared]));
  expect(complete("ex")).toEqual(["export"]);
  expect(complete("feature", "").slice(0, 4)).toEqual(["list", "show", "create", "delete"]);
  expect(complete("feature", "--")).toEqual(expect.arrayContaining(shared));
  expect(complete("feature", "list", "--p")).toEqual(["--project"]);
  expect(complete("--json", "key", "rot")).toEqual(["rotate"]);
});

it("completes choices, leaves other values of options to the shell, and takes none for a command", () => {
  expect(complete("export", "--as", "")).toEqual(["flagd", "unleash"]);
  expect(complete("completion", "z")).toEqual(["zsh"]);
  expect(complete("--data", "")).toEqual([""]);
  expect(complete("--data", "key", "fea")).toEqual(["feature"]);
});

it("for zsh is the same script after zsh's own preparation", async () => {
  const preparation = "autoload -U +X compinit bashcompinit && compinit && bashcompinit";

  expect(await run(["completion", "zsh"])).toEqual(done(`${preparation}\n${script}`));
});
