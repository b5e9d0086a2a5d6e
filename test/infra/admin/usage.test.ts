/** What the command line says to people: help, suggestions, where the data is, and what AWS refused. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../../infra/admin/program.ts";
import type { Fate } from "../../support/wire.ts";
import { newFolder, refused, run, useCommandLine } from "./command-line.ts";

const folder = newFolder();

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
    for (const part of ["--data DIR", "--endpoint URL", "Exit codes: 0 done, 1 refused"])
      expect(out).toContain(part);
    expect(Math.max(...out.split("\n").map((text) => text.length))).toBeLessThanOrEqual(100);
  });

  it("of each command has examples that begin with it", () => {
    const program = createProgram();
    const leaves = program.commands.flatMap((one) => (one.commands.length > 0 ? one.commands : [one]));

    const helps = leaves.map((command) => [pathOf(command), helpOf(command)] as const);

    expect(helps.map(([name]) => name)).toHaveLength(13);
    for (const [name, help] of helps)
      expect(help).toMatch(new RegExp(`\\nExamples:\\n  # .+\\n  burgee .*${name} ?`));
  });

  it.concurrent.each([
    [["aply"], "burgee: unknown command 'aply'\n(Did you mean apply?)\n"],
    [["key", "rotat"], "burgee: unknown command 'rotat'\n(Did you mean rotate?)\n"],
    [["export", "--jsn"], "burgee: unknown option '--jsn'\n(Did you mean --json?)\n"],
    [["apply"], "burgee: missing required argument 'file'\n"],
    [["key", "create", "ci"], "burgee: required option '--permission <permissions...>' not specified\n"],
  ])("suggests what %j may mean", async (given, err) => {
    expect(await run(given)).toEqual({ code: 1, out: "", err });
  });
});

describe("where the data is", () => {
  it("is asked for in one line when nothing says it", async () => {
    const message =
      "where is the data? Give --data DIR for a folder of this machine, --endpoint URL for a DynamoDB engine, " +
      "or set AWS_REGION and credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) for AWS";

    const [nothing, noCredentials] = await Promise.all([
      run(["export"]),
      run(["export"], { AWS_REGION: "eu-central-1" }),
    ]);

    expect(nothing).toEqual(refused(message));
    expect(noCredentials).toEqual(refused(message));
  });

  it.concurrent.each([
    [
      ["--data", "d", "--endpoint", "http://h"],
      "option '--data <dir>' cannot be used with option '--endpoint <url>'",
    ],
    [
      ["--endpoint", "here"],
      "option '--endpoint <url>' argument 'here' is invalid. An endpoint looks like http://127.0.0.1:8000.",
    ],
    [
      ["--endpoint", "http://127.0.0.1:9"],
      "nothing answers at http://127.0.0.1:9 (ECONNREFUSED): is it running, and is the address right?",
    ],
    [
      ["--data", "package.json"],
      "the folder package.json cannot be used for the data: ENOTDIR: not a directory, mkdir 'package.json/dynamodb'",
    ],
  ])("is refused as %j", async (given, message) => {
    expect(await run([...given, "export"])).toEqual(refused(message));
  });

  it("may be a folder, which stays as it is from command to command, and is one process's at a time", async () => {
    const at = ["--data", folder.path];
    const empty = 'The table "burgee" is empty so far.\n';

    const made = await run([...at, "project", "put", "default", "development"]);
    const [one, other] = await Promise.all([
      run([...at, "project", "list"]),
      run([...at, "project", "list"]),
    ]);

    expect(made).toEqual({ code: 0, out: "1 created, 0 updated, 0 removed, 0 as they were.\n", err: empty });
    const [listed, locked] = one.code === 0 ? [one, other] : [other, one];
    expect(listed).toEqual({ code: 0, out: "PROJECT  ENVIRONMENTS\ndefault  development\n", err: "" });
    const inUse = `the data in ${folder.path} is in use by another process; npm start prints the --endpoint of its engine`;
    // The two may also have come one after the other.
    expect([refused(inUse), listed]).toContainEqual(locked);
    const { code, err } = await run([...at, "--table", "x", "export"]);
    expect(code).toBe(1);
    expect(err).toMatch(/^burgee: DynamoDB refused it: ValidationException: TableName must be .*\n$/);
  });

  it("may be AWS, where no table is made", async () => {
    const aws = {
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL_DYNAMODB: line.burgee.wire.endpoint,
    };

    const there = await run(["--table", line.burgee.session.table, "key", "list"], aws);
    const not = await run(["key", "list"], { ...aws, TABLE_NAME: "not-there" });

    expect(there).toMatchObject({ code: 0, err: "" });
    expect(not).toEqual(
      refused(
        'there is no table "not-there" in eu-central-1: deploy the service first, or name its table with --table',
      ),
    );
  });
});

it.each([
  ["AccessDeniedException", "AWS does not permit it: because"],
  [
    "UnrecognizedClientException",
    "AWS does not take these credentials (because): log in again, or choose others with AWS_PROFILE",
  ],
  [
    "ExpiredTokenException",
    "AWS does not take these credentials (because): log in again, or choose others with AWS_PROFILE",
  ],
  ["ValidationException", "DynamoDB refused it: ValidationException: because"],
])("tells %s in one line", async (error, message) => {
  line.burgee.wire.decide(() => ({ error, message: "because" }));

  const answer = await line.run("key", "list");

  line.burgee.wire.reset();
  expect(answer).toEqual(refused(message));
});

it("waits where DynamoDB takes no more for a while", async () => {
  let refusals = 0;
  line.burgee.wire.decide(({ operation }) =>
    operation === "PutItem" && refusals++ < 8 ? { error: "ThrottlingException" } : "pass",
  );

  const answer = await line.run("project", "put", "later", "a");

  line.burgee.wire.reset();
  expect(answer).toMatchObject({ code: 0, err: "" });
  expect(refusals).toBe(9);
});

it("ends on Ctrl-C with its own exit code, and says that nothing is lost", async () => {
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
    "\nburgee: stopped; what was done so far stays, and the same command goes on from there\n",
  );
});

it("is no failure when its reader has seen enough", async () => {
  const at = `--endpoint ${line.burgee.wire.endpoint} --table ${line.burgee.session.table}`;
  const shell = spawn("bash", ["-o", "pipefail", "-c", `node dist/tools/admin.mjs ${at} export | true`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const err: Buffer[] = [];
  shell.stderr.on("data", (chunk) => err.push(chunk));

  await once(shell, "close");

  expect({ code: shell.exitCode, err: Buffer.concat(err).toString() }).toEqual({ code: 0, err: "" });
});
