/** The deployment commands' messages when something is missing, refused or interrupted. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasTerminal } from "../support/terminal.ts";
import { type Answer, type FakeAws, startAws } from "./fake-aws.ts";

const program = path.resolve("dist/tools/deploy.mjs");
const credentials = { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
const newFolder = () => mkdtempSync(path.join(tmpdir(), "burgee-test-"));
const emptyFolder = newFolder();

let aws: FakeAws;

beforeEach(async () => {
  aws = await startAws();
  aws.answers = ["CREATE_COMPLETE"];
});
afterEach(() => aws.close());

interface Ending {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(
  command: string,
  env: NodeJS.ProcessEnv = credentials,
  cwd = ".",
): [ChildProcess, Promise<Ending>] {
  const child = spawn(process.execPath, [program, ...command.split(" ")], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: environment(env),
  });
  const ending: Ending = { code: null, stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    ending.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    ending.stderr += chunk;
  });
  return [child, once(child, "close").then(([code]) => ({ ...ending, code }))];
}

const environment = (env: NodeJS.ProcessEnv) => ({
  PATH: process.env.PATH,
  HOME: emptyFolder,
  AWS_EC2_METADATA_DISABLED: "true",
  // The framework's own calls go to the fake too: none of these tests reaches AWS.
  AWS_ENDPOINT_URL: aws.endpoint,
  ...env,
});

/** Writes settings of the operator's own. */
function settings(text: string): string {
  const file = path.join(newFolder(), "own.yml");
  writeFileSync(file, text);
  return file;
}

const run = (...what: Parameters<typeof start>) => start(...what)[1];
const says = (line: string) => ({ code: 1, stderr: expect.stringContaining(line) });

it("the help of a command has the -- without which npm takes the options, and where the credentials come from", async () => {
  const { code, stdout } = await run("deploy --help");

  expect(code).toBe(0);
  for (const part of ["Usage: npm run deploy -- [options]", "AWS_PROFILE"]) expect(stdout).toContain(part);
});

describe("refuses before any change", () => {
  it("without credentials, and says what to set", async () => {
    expect(await run("deploy --stage dev", {})).toMatchObject(
      says("burgee: there are no AWS credentials: set AWS_PROFILE, or"),
    );
  });

  it("with a profile that gives no credentials, and names it", async () => {
    const AWS_SHARED_CREDENTIALS_FILE = settings("[work]");

    expect(
      await run("deploy --stage dev", { AWS_PROFILE: "wrok", AWS_SHARED_CREDENTIALS_FILE }),
    ).toMatchObject(says('burgee: the AWS profile "wrok" (AWS_PROFILE) gives no credentials: '));
  });

  it.each([
    ["ExpiredToken", "burgee: AWS rejected the credentials (a reason): log in again, or choose others"],
    ["AccessDenied", "burgee: AWS denied the call: a reason"],
  ])("when AWS responds with %s, and says what to do", async (error, line) => {
    aws.answers = [{ error, message: "a reason" }];

    expect(await run("deploy --stage dev")).toMatchObject(says(line));
  });

  it("when AWS cannot be reached, and names the region", async () => {
    aws.close();

    expect(await run("deploy --stage dev")).toMatchObject(
      says("burgee: AWS cannot be reached in us-east-1 (ECONNREFUSED)"),
    );
  });

  it.each([
    ["deploy --stage dev --region ", "'--region <name>' argument '' is invalid. It must not be empty."],
    ["deploy", "--stage <name>"],
    [
      "deploy --stage production",
      'there is no stage "production" in infra/settings.yml: there are prod, staging, dev',
    ],
  ])("%s", async (command, line) => {
    expect(await run(command)).toMatchObject(says(line));
  });

  it("when the framework cannot be fetched, with the reason", async () => {
    const folder = newFolder();
    for (const name of ["infra", "serverless.yml", "dist"]) {
      cpSync(name, path.join(folder, name), { recursive: true });
    }

    expect(await run("package", { PATH: emptyFolder }, folder)).toMatchObject(
      says(
        "the framework osls is not in .cache and could not be fetched: npm could not be started: spawnSync npm",
      ),
    );
  });

  it.each(["UPDATE_IN_PROGRESS", "UPDATE_ROLLBACK_IN_PROGRESS"])(
    "a deployment, rollback or removal during an update (%s)",
    async (status) => {
      aws.answers = [status];
      const line = `burgee: the stack burgee-dev is ${status}: CloudFormation is still working on it. Wait until`;

      for (const command of ["deploy", "rollback", "remove"]) {
        expect(await run(`${command} --stage dev --yes`)).toMatchObject(says(line));
      }
    },
  );

  it("a removal without a terminal and without --yes, or of a missing stack", async () => {
    expect(await run("remove --stage dev")).toMatchObject(says("give --yes"));
    aws.answers = [undefined];
    expect(await run("remove --stage dev --yes")).toMatchObject(
      says("burgee: there is no stack burgee-dev in us-east-1"),
    );
  });

  it("a rollback where no deployment before is kept", async () => {
    expect(await run("rollback --stage dev --yes")).toMatchObject(
      says("burgee: no deployment before this one is kept: deploy the commit that you want instead"),
    );
  });
});

describe("the check", () => {
  const lines = (text: string) => text.split("\n").filter((line) => /^ +(ok|[?!x]) {2}/.test(line));

  it("prints a line for each thing, and a stage without alarms needs no confirmation", async () => {
    const { stderr } = await run("deploy --stage dev");

    expect(lines(stderr)).toEqual([
      "  ok  credentials  arn:aws:iam::1:user/ops",
      "  ok  region       us-east-1",
      "  ok  settings     no placeholders are left",
      "  ok  concurrency  this account has 1000 for all functions, and 0 are reserved here",
      "  ok  table        burgee-dev-Table-1",
      "  ok  alarms       none",
    ]);
    expect(stderr).toContain("burgee: deploy failed, for the reason above");
  });

  it("goes on without the permission for a look-up, and says that a new stage starts empty", async () => {
    aws.answers = [undefined];
    aws.concurrency = "denied";

    const { stderr } = await run("package --stage dev --check");

    expect(stderr).toContain("   ?  concurrency  not checked: AWS denied the call: a reason\n");
    expect(stderr).toContain("  ok  table        burgee-dev is new, and starts with an empty table");
  });

  it.each([
    ["", "alarms       they have no recipient: set alarmTopic"],
    [
      "alarmTopic: { kind: email, address: me@burgee.dev }",
      "concurrency  this account has 10 for all functions",
    ],
  ])("needs a confirmation or --yes for a line with ! (%s)", async (own, line) => {
    aws.concurrency = own ? 10 : 1000;

    const { code, stderr } = await run(`deploy --stage prod --settings ${settings(`prod: { ${own} }`)}`);

    expect(code).toBe(1);
    expect(stderr).toContain(`   !  ${line}`);
    expect(stderr).toContain("burgee: nothing was changed: see the lines with !, or give --yes");
  });

  it.each([
    [
      "reservedConcurrency: { tags: 5, variants: 5 }",
      "concurrency  reservedConcurrency is 10, but this account has 10",
    ],
    ["table: burgee-dev-restored", "table        there is no table burgee-dev-restored in us-east-1"],
    [
      "monitoring: standard, alarmTopic: { kind: existing, arn: arn:aws:sns:us-east-1:1:alarms }",
      "alarms       there is no topic arn:aws:sns:us-east-1:1:alarms",
    ],
    [
      "permissionsBoundary: arn:aws:iam::123456789012:policy/boundary",
      "settings     replace the placeholders of permissionsBoundary",
    ],
  ])("refuses %s, also with --yes", async (own, line) => {
    aws.concurrency = 10;

    const { stderr } = await run(`deploy --stage dev --yes --settings ${settings(`dev: { ${own} }`)}`);

    expect(stderr).toContain(`   x  ${line}`);
    expect(stderr).toContain("burgee: nothing was changed: see the lines with x");
  });
});

// Needs script(1) of util-linux, which macOS does not have.
it.skipIf(!hasTerminal()).each([
  ["deploy --stage prod", "Go on in spite of the lines with !?", "n\r", 1],
  ["deploy --stage prod", "Go on in spite of the lines with !?", "\u0003", 130],
  ["remove --stage dev", "Remove burgee-dev in us-east-1?", "\u0003", 130],
])("%s asks at a terminal (%s), and changes nothing after %j", async (command, question, typed, code) => {
  const line = `${process.execPath} ${program} ${command}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], { env: environment(credentials) });
  let shown = "";
  child.stdout.on("data", (chunk) => {
    if (!shown.includes("(y/N)") && String(chunk).includes("(y/N)")) child.stdin.write(typed);
    shown += chunk;
  });
  await once(child, "close");

  expect(shown).toContain(question);
  expect(shown).toMatch(/burgee: nothing was changed\r\n$/);
  expect(child.exitCode).toBe(code);
});

it("a deployment removes a stack whose creation failed", async () => {
  aws.answers = ["ROLLBACK_COMPLETE"];

  expect(await run("deploy --stage dev")).toMatchObject(
    says("burgee: remove failed, for the reason above; the stack burgee-dev is ROLLBACK_COMPLETE"),
  );
});

describe("reports", () => {
  it("the framework's reason for a failure, the state of the stack, and what to do", async () => {
    aws.answers = ["CREATE_COMPLETE", "CREATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"];

    const { code, stdout, stderr } = await run("deploy --stage dev");

    expect(code).toBe(1);
    expect(stdout + stderr).toContain("only reading is permitted");
    expect(stderr).toContain(
      "burgee: deploy failed, for the reason above; the stack burgee-dev is UPDATE_ROLLBACK_COMPLETE: rolled back to the state before",
    );
  });

  it.each<[NodeJS.Signals, Answer, string]>([
    [
      "SIGINT",
      "UPDATE_IN_PROGRESS",
      "the stack burgee-dev is UPDATE_IN_PROGRESS: CloudFormation is still working on it.",
    ],
    [
      "SIGTERM",
      { error: "ExpiredToken", message: "a reason" },
      "the state of burgee-dev is unknown: AWS rejected",
    ],
  ])("the state of the stack after an interruption by %s (%j)", async (signal, then, line) => {
    aws.answers = ["CREATE_COMPLETE", "never", then];
    const [child, ended] = start("deploy --stage dev");
    await aws.described(2);

    child.kill(signal);

    const { code, stderr } = await ended;
    expect(stderr).toContain(`burgee: deploy was interrupted; ${line}`);
    expect(code).toBe(130);
  });

  it("the address and the table of a stage, for scripts", async () => {
    aws.answers = ["UPDATE_COMPLETE"];

    expect(await run("status --stage dev")).toEqual({
      code: 0,
      stdout: "Url: https://api.example.com\nTableName: burgee-dev-Table-1\n",
      stderr: "burgee: the stack burgee-dev is UPDATE_COMPLETE: complete, and serving\n",
    });
  });
});
