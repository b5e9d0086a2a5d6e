/** What the command line says to people: help, suggestions, and what AWS refused. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { namingOptions } from "../../../../infra/cli/options.ts";
import { createProgram } from "../../../../infra/clients/admin/program.ts";
import { optionDeclarations, optionNamesOf } from "../../../../lib/http/options.ts";
import type { Fate } from "../../../support/wire.ts";
import { done, misused, refused, run, runProcess, useCommandLine } from "./command-line.ts";

const line = await useCommandLine();

/** Returns the command as it is typed: "key create". */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

it("the help of the whole names every command, where the data is, and the exit codes", async () => {
  const { code, out, err } = await run(["--help"]);

  expect({ code, err }).toEqual({ code: 0, err: "" });
  for (const name of [
    "apply",
    "export",
    "key",
    "project",
    "feature",
    "history",
    "import-flagd",
    "import-unleash",
    "push",
  ])
    expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
  const codes = "Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 differences";
  for (const part of ["--data DIR", "--endpoint URL", "--url URL", codes]) expect(out).toContain(part);
  expect(Math.max(...out.split("\n").map((text) => text.length))).toBeLessThanOrEqual(100);
});

it("the help of each command has examples that begin with it", async () => {
  const groups = createProgram().commands;
  const paths = groups.flatMap((one) => (one.commands.length > 0 ? one.commands : [one])).map(pathOf);

  expect(paths).toHaveLength(27);
  for (const path of paths)
    expect((await run([...path.split(" "), "--help"])).out).toMatch(
      new RegExp(`\\nExamples:\\n  # .+\\n  burgee .*${path} ?`),
    );
});

it("each header of a change that is Burgee's own has an option, which messages name in its place", async () => {
  const { out } = await run(["feature", "off", "--help"]);

  const names = optionNamesOf("change").map((option) => optionDeclarations[option].name);
  for (const name of names.filter((name) => name.startsWith("Burgee-")))
    expect(out).toContain(`${namingOptions(name)} <`);
});

it.each([
  ["--guard a/b", "It must be URL-friendly: "],
  ["--guard errors --for 90x", "It must be a time from 1m to 24h, such as 90s, 30m or 2h."],
  ["--guard errors --for 25h", "It must be a time from 1m to 24h, such as 90s, 30m or 2h."],
  ["--most-moves 20", "It must be a number from 0 to 1, such as 0.2."],
])("refuses %s before it calls the API", async (given, message) => {
  const { code, err } = await run(`feature off checkout --all ${given}`.split(" "));

  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

it.each([
  ["feature off checkout --environment production --environment staging --yes", "--environment"],
  ["feature promote checkout --from a --to b --to c", "--to"],
  ["feature off checkout --all --reason one --reason=two", "--reason"],
  ["--url https://burgee.test feature list --url https://other.test", "--url"],
  ["key rotate ci --grace 1h --grace 2h", "--grace"],
])("refuses the repeated option of `%s`", async (given, option) => {
  expect(await run(given.split(" "))).toEqual(misused(`${option} was given twice: it takes one value`));
});

it.each([
  ["aply", "unknown command 'aply' (did you mean \"apply\"?)"],
  ["aply --help", "unknown command 'aply' (did you mean \"apply\"?)"],
  ["help aply", "unknown command 'aply' (did you mean \"apply\"?)"],
  ["drift --help", "unknown command 'drift'"],
  ["feature rename", "unknown command 'rename'"],
  ["feature delte checkout --help", "unknown command 'delte' (did you mean \"delete\"?)"],
  ["apply ", "the name of the file is empty"],
  ["export ", "the name of the file is empty"],
])("`%s` is wrong usage", async (given, message) => {
  expect(await run(given.split(" "))).toEqual(misused(message));
});

it("`help` takes all words of a command", async () => {
  expect(await run(["help", "feature", "rollout"])).toEqual(await run(["feature", "rollout", "--help"]));
  expect(await run(["help", "feature", "rolout"])).toEqual(
    misused("unknown command 'rolout' (did you mean \"rollout\"?)"),
  );
});

it("the version is that of the package, and a command that is typed wrongly cannot command the terminal", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));

  expect(await runProcess(["--version"])).toEqual(done(`${version}\n`));
  expect(await run(["\u001b[2J\u202e"])).toEqual(misused("unknown command '\\u001b[2J\\u202e'"));
});

it.each([
  [
    "AccessDeniedException",
    "AWS denied the call: because; the policies are in docs/OPERATIONS.md#permissions",
  ],
  ["ExpiredTokenException", "DynamoDB refused the call: ExpiredTokenException: because"],
])("reports %s in one line", async (error, message) => {
  line.burgee.wire.decide(() => ({ error, message: "because" }));

  expect(await line.run("key list")).toEqual(refused(message));
});

it.each([
  [
    "AccessDeniedException",
    "AWS denied the call: because; the policies are in docs/OPERATIONS.md#permissions",
  ],
  ["ResourceNotFoundException", 'there is no table "TABLE" in ADDRESS: name its table with --table'],
])("advises what helps against %s, in place of running the command again", async (error, message) => {
  line.burgee.wire.decide(() => ({ error, message: "because" }));

  const { wire, session } = line.burgee;
  expect(await line.run("feature show search")).toEqual(
    refused(message.replace("TABLE", session.table).replace("ADDRESS", wire.endpoint)),
  );
});

it("names --url and the options for a table, in place of running the command again, where none is given", async () => {
  const [without, withKey] = await Promise.all([
    runProcess(["feature", "list"]),
    runProcess(["feature", "list"], { BURGEE_KEY: "a key" }),
  ]);

  const rest = /, --data DIR .+ for AWS\n$/.source;
  const start = "^burgee: no service and no table to work on: give --url URL for an API, ";
  expect([without.code, without.err]).toEqual([
    1,
    expect.stringMatching(new RegExp(`${start}with its key in BURGEE_KEY${rest}`)),
  ]);
  expect(withKey.err).toMatch(new RegExp(`${start}whose key BURGEE_KEY has${rest}`));
});

it("exits with 130 on Ctrl-C, and says that nothing is lost", async () => {
  const child = line.start("key list");
  line.burgee.wire.decide(async (): Promise<Fate> => {
    child.kill("SIGINT");
    await once(child, "close");
    return "pass";
  });

  const [err] = await Promise.all([text(child.stderr), once(child, "close")]);

  expect(child.exitCode).toBe(130);
  expect(err).toBe(
    "\nburgee: interrupted; completed changes are kept, and apply, the imports and push continue when run again\n",
  );
});

describe("in a pipeline", () => {
  async function shell(script: string, table?: string) {
    const admin = `node dist/tools/admin.mjs ${line.at(table).join(" ")}`;
    // Bash would warn of a language that is not installed.
    const env = { ...process.env, LC_ALL: "C" };
    const bash = spawn("bash", ["-o", "pipefail", "-c", script.replaceAll("admin", admin)], { env });
    const [err] = await Promise.all([text(bash.stderr), once(bash, "close")]);
    return { code: bash.exitCode, err };
  }

  it.each([
    ["export", 0],
    ["apply --dry-run --exit-code infra/demo.json", 3],
  ])("%s exits with %j although its reader closes the pipe", async (command, code) => {
    expect(await shell(`admin ${command} | true`)).toEqual({ code, err: "" });
  });

  it("completes its changes although the reader of its messages closes the pipe", async () => {
    const { code } = await shell("admin apply infra/demo.json 2>&1 >/dev/null | true", "unheard");

    const { features } = JSON.parse(await line.exported("unheard"));
    expect([code, features.length]).toEqual([0, 6]);
  });

  it("fails if the output cannot be written", async ({ skip }) => {
    skip(!existsSync("/dev/full"), "there is no /dev/full on this system");
    const err = expect.stringMatching(/^burgee: the output cannot be written: ENOSPC.*\n$/);

    expect(await shell("admin export > /dev/full")).toEqual({ code: 1, err });
  });
});
