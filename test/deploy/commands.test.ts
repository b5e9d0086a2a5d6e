/** The deployment commands' messages when something is missing, refused or interrupted. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasTerminal } from "../support/terminal.ts";
import { type Answer, type FakeCloudFormation, startCloudFormation } from "./cloudformation.ts";

const program = path.resolve("dist/tools/deploy.mjs");
const credentials = { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
const emptyFolder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));

let cloudFormation: FakeCloudFormation;

beforeEach(async () => {
  cloudFormation = await startCloudFormation();
});
afterEach(() => cloudFormation.close());

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

/** Returns a folder whose stages.yml has another setting of prod. */
function withSetting(setting: string, other: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
  for (const name of ["infra", "serverless.yml"]) cpSync(name, path.join(folder, name), { recursive: true });
  symlinkSync(path.resolve(".cache"), path.join(folder, ".cache"));
  const settings = readFileSync("infra/stages.yml", "utf8")
    .replace(other.includes("events:") ? "  events: none\n" : "", "")
    .replace(`\n  ${setting}`, `\n  ${other}`);
  writeFileSync(path.join(folder, "infra/stages.yml"), settings);
  return folder;
}

const environment = (env: NodeJS.ProcessEnv) => ({
  PATH: process.env.PATH,
  HOME: emptyFolder,
  AWS_EC2_METADATA_DISABLED: "true",
  // The framework's own calls go to the fake too: none of these tests reaches AWS.
  AWS_ENDPOINT_URL: cloudFormation.endpoint,
  ...env,
});

const run = (...what: Parameters<typeof start>) => start(...what)[1];
const says = (line: string) => ({ code: 1, stderr: expect.stringContaining(`burgee: ${line}`) });

it("the help of a command has the -- without which npm takes the options, and where the credentials come from", async () => {
  const { code, stdout } = await run("deploy --help");

  expect(code).toBe(0);
  for (const part of ["Usage: npm run deploy -- [options]", "AWS_PROFILE"]) expect(stdout).toContain(part);
});

describe("refuses before any change", () => {
  it("without credentials, and says what to set", async () => {
    expect(await run("deploy --stage dev", {})).toMatchObject(
      says("there are no AWS credentials: set AWS_PROFILE, or"),
    );
  });

  it.each([
    ["[work]", "wrok", 'there is no AWS profile "wrok" (AWS_PROFILE) in '],
    [
      "[work]\ncredential_process = false",
      "work",
      'the AWS profile "work" (AWS_PROFILE) gives no credentials: ',
    ],
  ])("where %j has no credentials for the profile %s, and says why", async (profiles, AWS_PROFILE, line) => {
    const AWS_SHARED_CREDENTIALS_FILE = path.join(
      mkdtempSync(path.join(tmpdir(), "burgee-test-")),
      "credentials",
    );
    writeFileSync(AWS_SHARED_CREDENTIALS_FILE, profiles);

    expect(await run("deploy --stage dev", { AWS_PROFILE, AWS_SHARED_CREDENTIALS_FILE })).toMatchObject(
      says(line),
    );
  });

  it("an empty region", async () => {
    const stderr = expect.stringContaining("'--region <name>' argument '' is invalid. It must not be empty.");

    expect(await run("status --stage dev --region ")).toMatchObject({ code: 1, stderr });
  });

  it.each([
    ["ExpiredToken", "AWS rejected the credentials (a reason): log in again, or choose others"],
    ["InvalidClientTokenId", "AWS rejected the credentials (a reason): log in again, or choose others"],
    ["AccessDenied", "AWS denied the call: a reason"],
  ])("when AWS responds with %s, and says what to do", async (error, line) => {
    cloudFormation.answers = [{ error, message: "a reason" }];

    expect(await run("deploy --stage dev")).toMatchObject(says(line));
  });

  it("when AWS cannot be reached, and names the region", async () => {
    cloudFormation.close();

    expect(await run("deploy --stage dev")).toMatchObject(
      says("CloudFormation cannot be reached in us-east-1 (ECONNREFUSED)"),
    );
  });

  it("an unlisted stage, and lists the stages", async () => {
    expect(await run("deploy --stage production")).toMatchObject(
      says('there is no stage "production" in infra/stages.yml, which has prod, staging, dev'),
    );
  });

  it.each([
    [
      "dashboard: all",
      "dashboard: yes",
      "prod has dashboard: yes, which must be none or all (infra/stages.yml)",
    ],
    [
      "cors: false",
      "cors: false\n  cros: true\n  alarm: all",
      "prod has unknown settings: cros, alarm (infra/stages.yml)",
    ],
    ["dashboard: all", "\tdashboard: all", "infra/stages.yml is not valid YAML: Tabs are not allowed"],
    ["alarms: all", "alarms: none", "prod has releases: canary, which alarms roll back, but alarms: none"],
    [
      "table: { Ref: Table }",
      "table: restored\n  events: bus",
      "prod has table: restored, but its events would be those of the stack's own table: set tableStreamArn",
    ],
  ])("settings that are wrong: %j replaced by %j", async (setting, other, line) => {
    expect(await run("package --stage prod", {}, withSetting(setting, other))).toMatchObject(says(line));
  });

  it.each([
    ["another table", "table: restored", "burgee-dev-Table-1", "restored"],
    ["the stack's own table", "table: { Ref: Table }", "restored", "burgee-dev-Table-1"],
  ])("a canary that changes the table to %s", async (_, table, used, next) => {
    cloudFormation.answers = ["CREATE_COMPLETE"];
    cloudFormation.outputs.TableName = used;
    const folder = withSetting("table: { Ref: Table }", `${table}\n  events: none`);

    expect(await run("deploy --stage prod --yes", credentials, folder)).toMatchObject(
      says(
        `prod uses the table ${used}, and a canary would use ${next} as well: set releases: atOnce to change the table`,
      ),
    );
  });

  it("a deployment without a stage", async () => {
    expect(await run("deploy")).toMatchObject({ code: 1, stderr: expect.stringContaining("--stage <name>") });
  });

  it("when the framework cannot be fetched, with the reason", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
    for (const name of ["infra", "serverless.yml"])
      cpSync(name, path.join(folder, name), { recursive: true });

    expect(await run("package", { PATH: emptyFolder }, folder)).toMatchObject(
      says(
        "the framework osls is not in .cache and could not be fetched: npm could not be started: spawnSync npm ENOENT",
      ),
    );
  });

  it("a stack whose creation failed, and says to remove it first", async () => {
    cloudFormation.answers = ["ROLLBACK_COMPLETE"];

    expect(await run("deploy --stage dev")).toMatchObject(
      says(
        "the stack burgee-dev is ROLLBACK_COMPLETE: its creation never completed. Run npm run remove -- --stage dev, then deploy",
      ),
    );
  });

  it.each(["UPDATE_IN_PROGRESS", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "UPDATE_ROLLBACK_IN_PROGRESS"])(
    "a removal during an update (%s), which may need the archives for its rollback",
    async (status) => {
      cloudFormation.answers = [status];

      expect(await run("remove --stage dev --yes")).toMatchObject(
        says(`the stack burgee-dev is ${status}: CloudFormation is still working on it. Wait until`),
      );
    },
  );

  it("a removal without a terminal and without --yes", async () => {
    cloudFormation.answers = ["CREATE_COMPLETE"];

    expect(await run("remove --stage dev")).toMatchObject(says("this cannot be undone"));
  });

  it("the removal of a missing stack", async () => {
    cloudFormation.answers = [undefined];

    expect(await run("remove --stage dev --yes")).toMatchObject(
      says("there is no stack burgee-dev in us-east-1"),
    );
  });
});

it.each([
  ["another table", "table: restored", "restored"],
  ["the stack's own table", "table: { Ref: Table }", "burgee-dev-Table-1"],
])("starts a canary that still uses %s", async (_, table, used) => {
  cloudFormation.answers = ["CREATE_COMPLETE"];
  cloudFormation.outputs.TableName = used;
  const folder = withSetting("table: { Ref: Table }", `${table}\n  events: none`);

  expect(await run("deploy --stage prod --yes", credentials, folder)).toMatchObject(
    says("deploy failed, for the reason above"),
  );
});

describe("a stage whose alarms have no topic", () => {
  const notice = "burgee: the alarms of prod have no recipient: set its alarmTopic in infra/stages.yml\n";

  it("is not deployed by a script without --yes", async () => {
    expect(await run("deploy --stage prod")).toEqual({
      code: 1,
      stdout: "",
      stderr: `${notice}burgee: prod was not deployed: set alarmTopic, or give --yes to deploy it anyway\n`,
    });
  });

  it("is not deployed without --yes either if its only alarm is that of events", async () => {
    const folder = withSetting("alarmTopic: none", "alarmTopic: none\n  events: bus");

    expect(await run("deploy --stage dev", credentials, folder)).toMatchObject(
      says("the alarms of dev have no recipient: set its alarmTopic in infra/stages.yml"),
    );
  });

  it("is deployed with --yes, after the same notice", async () => {
    cloudFormation.answers = [{ error: "AccessDenied", message: "a reason" }];

    const { stderr } = await run("deploy --stage prod --yes");

    expect(stderr).toBe(`${notice}burgee: AWS denied the call: a reason\n`);
  });

  it("reports it in its status", async () => {
    cloudFormation.answers = ["UPDATE_COMPLETE"];
    cloudFormation.outputs.AlarmTopic = "none";

    const { stdout, stderr } = await run("status --stage prod");

    expect(stdout).toMatch(/^AlarmTopic: none$/m);
    expect(stderr).toBe(`burgee: the stack burgee-prod is UPDATE_COMPLETE: complete, and serving\n${notice}`);
  });
});

// Needs script(1) of util-linux, which macOS does not have.
it.skipIf(!hasTerminal()).each([
  ["deploy --stage prod", "Deploy prod anyway?", "n\r", 1],
  ["deploy --stage prod", "Deploy prod anyway?", "\u0003", 130],
  ["remove --stage dev", "Remove burgee-dev in us-east-1?", "\u0003", 130],
])("%s asks at a terminal (%s), and changes nothing after %j", async (command, question, typed, code) => {
  cloudFormation.answers = ["CREATE_COMPLETE"];
  const line = `${process.execPath} ${program} ${command}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], { env: environment(credentials) });
  let shown = "";
  child.stdout.on("data", (chunk) => {
    if (String(chunk).includes("(y/N)")) child.stdin.write(typed);
    shown += chunk;
  });
  await once(child, "close");

  expect(shown).toContain(question);
  expect(shown).toMatch(/burgee: nothing was changed\r\n$/);
  expect(child.exitCode).toBe(code);
});

describe("reports", () => {
  it("the framework's reason for a failure, the state of the stack, and what to do", async () => {
    cloudFormation.answers = ["CREATE_COMPLETE", "CREATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"];

    const { code, stdout, stderr } = await run("deploy --stage dev");

    expect({ code, output: stdout + stderr }).toEqual({
      code: 1,
      output: expect.stringContaining("only reading is permitted"),
    });
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
    ["SIGTERM", "UPDATE_COMPLETE", "the stack burgee-dev is UPDATE_COMPLETE: complete, and serving"],
    [
      "SIGINT",
      { error: "ExpiredToken", message: "a reason" },
      "the state of burgee-dev is unknown: AWS rejected",
    ],
  ])("the state of the stack after an interruption by %s (%j)", async (signal, then, line) => {
    cloudFormation.answers = ["CREATE_COMPLETE", "never", then];
    const [child, ended] = start("deploy --stage dev");
    await cloudFormation.called(2);

    child.kill(signal);

    const { code, stderr } = await ended;
    expect(stderr).toContain(`burgee: deploy was interrupted; ${line}`);
    expect(code).toBe(130);
  });

  it("the address and the table of a stage, for scripts", async () => {
    cloudFormation.answers = ["UPDATE_COMPLETE"];

    expect(await run("status --stage dev")).toEqual({
      code: 0,
      stdout: "Url: https://api.example.com\nTableName: burgee-dev-Table-1\n",
      stderr: "burgee: the stack burgee-dev is UPDATE_COMPLETE: complete, and serving\n",
    });
  });
});
