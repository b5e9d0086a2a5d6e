/** What an operator is told when something is missing, refused, broken off. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answer, type FakeCloudFormation, startCloudFormation } from "./cloudformation.ts";

const program = path.resolve("dist/tools/deploy.mjs");
const credentials = { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
const nobody = mkdtempSync(path.join(tmpdir(), "burgee-test-"));

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
    env: {
      PATH: process.env.PATH,
      HOME: nobody,
      AWS_EC2_METADATA_DISABLED: "true",
      // The framework's own calls go there too: none of these tests reaches AWS.
      AWS_ENDPOINT_URL: cloudFormation.endpoint,
      ...env,
    },
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

const run = (...what: Parameters<typeof start>) => start(...what)[1];
const says = (line: string) => ({ code: 1, stderr: expect.stringContaining(`burgee: ${line}`) });

describe("before anything is done", () => {
  it("without credentials: what to set", async () => {
    expect(await run("deploy --stage dev", {})).toMatchObject(
      says("there are no AWS credentials: set AWS_PROFILE, or"),
    );
  });

  it.each([
    ["ExpiredToken", "AWS does not take these credentials (it is so): log in again, or choose others"],
    [
      "InvalidClientTokenId",
      "AWS does not take these credentials (it is so): log in again, or choose others",
    ],
    ["AccessDenied", "AWS does not permit it: it is so"],
  ])("with credentials that are answered by %s: what to do", async (error, line) => {
    cloudFormation.answers = [{ error, message: "it is so" }];

    expect(await run("deploy --stage dev")).toMatchObject(says(line));
  });

  it("out of reach of AWS: what could not be reached", async () => {
    cloudFormation.close();

    expect(await run("deploy --stage dev")).toMatchObject(
      says("CloudFormation cannot be reached in us-east-1 (ECONNREFUSED)"),
    );
  });

  it("of a stage that is not listed: which are", async () => {
    expect(await run("deploy --stage production")).toMatchObject(
      says('there is no stage "production" in infra/stages.yml, which has prod, staging, dev'),
    );
  });

  it("of no stage at all: that one must be named", async () => {
    expect(await run("deploy")).toMatchObject({ code: 1, stderr: expect.stringContaining("--stage <name>") });
  });

  it("where the framework is not there and cannot be fetched: why, and that it takes a network", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "burgee-test-"));
    cpSync("infra", path.join(folder, "infra"), { recursive: true });

    expect(await run("package", { PATH: nobody }, folder)).toMatchObject(
      says(
        "the framework osls is not in .cache and could not be fetched: npm could not be started: spawnSync npm ENOENT",
      ),
    );
  });

  it("of a stack whose creation failed: that it must go first", async () => {
    cloudFormation.answers = ["ROLLBACK_COMPLETE"];

    expect(await run("deploy --stage dev")).toMatchObject(
      says(
        "the stack burgee-dev is ROLLBACK_COMPLETE: it was never whole. npm run remove -- --stage dev, then deploy",
      ),
    );
  });

  it("of a removal that nobody can be asked about: that it wants --yes", async () => {
    cloudFormation.answers = ["CREATE_COMPLETE"];

    expect(await run("remove --stage dev")).toMatchObject(says("this cannot be undone"));
  });

  it("of the removal of what is not there: that it is not", async () => {
    cloudFormation.answers = [undefined];

    expect(await run("remove --stage dev --yes")).toMatchObject(
      says("there is no stack burgee-dev in us-east-1"),
    );
  });
});

describe("of a stage whose alarms are sent nowhere", () => {
  const notice = "burgee: the alarms of prod notify nobody: there is no alarmTopic in infra/stages.yml\n";

  it("that it is not deployed by a script that does not say --yes", async () => {
    expect(await run("deploy --stage prod")).toEqual({
      code: 1,
      stdout: "",
      stderr: `${notice}burgee: prod was not deployed: set alarmTopic, or give --yes to deploy it all the same\n`,
    });
  });

  it("with --yes: the same, and it is deployed", async () => {
    cloudFormation.answers = [{ error: "AccessDenied", message: "it is so" }];

    const { stderr } = await run("deploy --stage prod --yes");

    expect(stderr).toBe(`${notice}burgee: AWS does not permit it: it is so\n`);
  });

  it("at a terminal: a question, and no deployment where the answer is no", async () => {
    const line = `${process.execPath} ${program} deploy --stage prod`;
    const child = spawn("script", ["-qec", line, "/dev/null"]);
    let shown = "";
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("(y/N)")) child.stdin.write("n\r");
      shown += chunk;
    });
    await once(child, "close");

    expect(shown).toContain("Deploy prod all the same?");
    expect(shown).toContain("burgee: nothing was changed");
  });

  it("with its status", async () => {
    cloudFormation.answers = ["UPDATE_COMPLETE"];
    cloudFormation.outputs.AlarmTopic = "none";

    const { stdout, stderr } = await run("status --stage prod");

    expect(stdout).toMatch(/^AlarmTopic: none$/m);
    expect(stderr).toBe(`burgee: the stack burgee-prod is UPDATE_COMPLETE: whole, and serving\n${notice}`);
  });
});

describe("afterwards", () => {
  it("of a failed deployment: the framework's reason, the state of the stack, and what to do", async () => {
    cloudFormation.answers = ["CREATE_COMPLETE", "CREATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"];

    const { code, stdout, stderr } = await run("deploy --stage dev");

    expect({ code, output: stdout + stderr }).toEqual({
      code: 1,
      output: expect.stringContaining("you may only look"),
    });
    expect(stderr).toContain(
      "burgee: deploy failed, for the reason above; the stack burgee-dev is UPDATE_ROLLBACK_COMPLETE: all is as it was",
    );
  });

  it.each<[NodeJS.Signals, Answer, string]>([
    [
      "SIGINT",
      "UPDATE_IN_PROGRESS",
      "the stack burgee-dev is UPDATE_IN_PROGRESS: CloudFormation is at work on it.",
    ],
    ["SIGTERM", "UPDATE_COMPLETE", "the stack burgee-dev is UPDATE_COMPLETE: whole, and serving"],
    [
      "SIGINT",
      { error: "ExpiredToken", message: "it is so" },
      "the state of burgee-dev is not known, as AWS does not",
    ],
  ])("of a deployment broken off by %s: what CloudFormation makes of it (%j)", async (signal, then, line) => {
    cloudFormation.answers = ["CREATE_COMPLETE", "never", then];
    const [child, ended] = start("deploy --stage dev");
    await cloudFormation.asked(2);

    child.kill(signal);

    const { code, stderr } = await ended;
    expect(stderr).toContain(`burgee: deploy was interrupted; ${line}`);
    expect(code).toBe(130);
  });

  it("of a stage that serves: its address and its table, for scripts", async () => {
    cloudFormation.answers = ["UPDATE_COMPLETE"];

    expect(await run("status --stage dev")).toEqual({
      code: 0,
      stdout: "Url: https://api.example.com\nTableName: burgee-dev-Table-1\n",
      stderr: "burgee: the stack burgee-dev is UPDATE_COMPLETE: whole, and serving\n",
    });
  });
});
