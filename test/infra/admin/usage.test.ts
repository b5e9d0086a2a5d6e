/** What the command line says to people: help, suggestions, and what AWS refused. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { describe, expect, it, vi } from "vitest";
import { createProgram } from "../../../infra/admin/program.ts";
import type { Fate } from "../../support/wire.ts";
import { done, refused, run, runProcess, useCommandLine } from "./command-line.ts";

const line = await useCommandLine();

/** As it is typed: "key create". */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

function helpOf(command: Command): string {
  let help = "";
  const writeOut = (text: string) => {
    help += text;
  };
  command.configureOutput({ writeOut }).outputHelp();
  return help;
}

describe("help", () => {
  it("of the whole names every command, where the data is, and the exit codes", async () => {
    const { code, out, err } = await run(["--help"]);

    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const name of ["apply", "export", "key", "project", "feature", "import-unleash"]) {
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    }
    for (const part of [
      "--data DIR",
      "--endpoint URL",
      "Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 130",
    ])
      expect(out).toContain(part);
    expect(Math.max(...out.split("\n").map((text) => text.length))).toBeLessThanOrEqual(100);
  });

  it("of each command has examples that begin with it", () => {
    const program = createProgram();
    const leaves = program.commands.flatMap((one) => (one.commands.length > 0 ? one.commands : [one]));

    const helps = leaves.map((command) => [pathOf(command), helpOf(command)] as const);

    expect(helps.map(([name]) => name)).toHaveLength(14);
    for (const [name, help] of helps)
      expect(help).toMatch(new RegExp(`\\nExamples:\\n  # .+\\n  burgee .*${name} ?`));
  });

  it.concurrent.each([
    [["aply"], "burgee: unknown command 'aply'\n(Did you mean apply?)\n"],
    [["key", "rotat"], "burgee: unknown command 'rotat'\n(Did you mean rotate?)\n"],
    [["export", "--jsn"], "burgee: unknown option '--jsn'\n(Did you mean --json?)\n"],
    [["apply"], "burgee: missing required argument 'file'\n"],
    [["key", "create", "ci"], "burgee: required option '--permission <permission>' not specified\n"],
  ])("suggests what %j may mean", async (given, err) => {
    expect(await run(given)).toEqual({ code: 2, out: "", err });
  });
});

it("the version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));

  expect(await runProcess(["--version"])).toEqual(done(`${version}\n`));
});

it("a command that is typed wrongly cannot command the terminal through the message", async () => {
  const { code, err } = await runProcess(["\u001b[2J\u202e"]);

  expect({ code, err }).toEqual({ code: 2, err: "burgee: unknown command '\\u001b[2J\\u202e'\n" });
});

it.each([
  ["AccessDeniedException", "AWS denied the call: because"],
  [
    "UnrecognizedClientException",
    "AWS rejected the credentials (because): log in again, or choose others with AWS_PROFILE",
  ],
  [
    "ExpiredTokenException",
    "AWS rejected the credentials (because): log in again, or choose others with AWS_PROFILE",
  ],
  ["ValidationException", "DynamoDB refused the call: ValidationException: because"],
])("reports %s in one line", async (error, message) => {
  line.burgee.wire.decide(() => ({ error, message: "because" }));

  const answer = await line.run("key", "list");

  line.burgee.wire.reset();
  expect(answer).toEqual(refused(message));
});

it("retries while DynamoDB throttles", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  let refusals = 0;
  line.burgee.wire.decide(({ operation }) =>
    operation === "PutItem" && refusals++ < 8 ? { error: "ThrottlingException" } : "pass",
  );

  const answer = await line.run("project", "put", "later", "a");

  line.burgee.wire.reset();
  expect(answer).toMatchObject({ code: 0, err: "" });
  expect(refusals).toBe(9);
  vi.mocked(Math.random).mockRestore();
});

it("exits with 130 on Ctrl-C, and says that nothing is lost", async () => {
  const child = line.start("key", "list");
  const err: Buffer[] = [];
  child.stderr.on("data", (chunk) => err.push(chunk));
  line.burgee.wire.decide(async (): Promise<Fate> => {
    child.kill("SIGINT");
    await once(child, "close");
    return "pass";
  });

  await once(child, "close");

  line.burgee.wire.reset();
  expect(child.exitCode).toBe(130);
  expect(Buffer.concat(err).toString()).toBe(
    "\nburgee: interrupted; completed changes are kept, and the same command continues from there\n",
  );
});

it("exits with 0 when its reader closes the pipe", async () => {
  const at = `--endpoint ${line.burgee.wire.endpoint} --table ${line.burgee.session.table}`;
  const shell = spawn("bash", ["-o", "pipefail", "-c", `node dist/tools/admin.mjs ${at} export | true`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const err: Buffer[] = [];
  shell.stderr.on("data", (chunk) => err.push(chunk));

  await once(shell, "close");

  expect({ code: shell.exitCode, err: Buffer.concat(err).toString() }).toEqual({ code: 0, err: "" });
});
