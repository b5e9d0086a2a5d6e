/** What the deployment commands report when something is missing, refused or interrupted. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newFolder, runAtTerminal } from "../infra/admin/command-line.ts";
import type { Run } from "../support/program.ts";
import { hasTerminal } from "../support/terminal.ts";
import { type FakeAws, startAws } from "./fake-aws.ts";

const program = path.resolve("dist/tools/deploy.mjs");
const folder = newFolder();
const noRegion = { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
const credentials = { ...noRegion, AWS_REGION: "us-east-1" };

const ceilings = { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 100 };

let aws: FakeAws;

beforeEach(async () => {
  aws = await startAws();
});
afterEach(() => aws.close());

const environment = (env: NodeJS.ProcessEnv) => ({
  PATH: process.env.PATH,
  HOME: folder.path,
  AWS_EC2_METADATA_DISABLED: "true",
  // The framework's own calls go to the fake too: none of these tests reaches AWS.
  AWS_ENDPOINT_URL: aws.endpoint,
  ...env,
});

function start(command: string, env: NodeJS.ProcessEnv = credentials): [ChildProcess, Promise<Run>] {
  const child = spawn(process.execPath, [program, ...command.split(" ")], { env: environment(env) });
  child.stdin.end();
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return [child, ended.then(([out, err]) => ({ code: child.exitCode, out, err }))];
}

/** Writes settings of dev into a file. */
const write = (own: string) => folder.file("own.yml", Buffer.from(`dev: { ${own} }`));

/** What the check prints of settings of dev, and of a topic that does not exist, at which it stops. */
async function checkOnly(own: string): Promise<string> {
  const topic = "monitoring: true, alarmTopic: { kind: existing, arn: 'arn:aws:sns:us-east-1:1:alarms' }";
  const { err } = await run(`deploy --stage dev --settings ${write(`${topic}, ${own}`)}`);
  expect(err).toContain("burgee: nothing was changed");
  return err;
}

const run = (...given: Parameters<typeof start>) => start(...given)[1];
const fails = (line: string) => ({ code: 1, err: expect.stringContaining(line) });

it("the help of a command has the -- without which npm takes the options, and where the credentials come from", async () => {
  const { code, out } = await run("deploy --help");

  expect(code).toBe(0);
  for (const part of ["Usage: npm run deploy -- [options]", "AWS_PROFILE"]) expect(out).toContain(part);
});

it.each([
  ["credentials", { AWS_REGION: "us-east-1" }, "burgee: there are no AWS credentials: set AWS_PROFILE, or"],
  ["a region", noRegion, "burgee: there is no AWS region: set AWS_REGION"],
])("without %s a command says what to set", async (_, env, line) => {
  expect(await run("status --stage dev", env)).toMatchObject(fails(line));
});

it("says that there are no credentials before it fetches the framework", async () => {
  const child = spawn(process.execPath, [program, "deploy", "--stage", "dev"], {
    cwd: folder.path,
    env: environment({ AWS_REGION: "us-east-1", PATH: "" }),
  });

  const [err] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect(err).toBe(
    "burgee: there are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\n",
  );
});

it("takes the region from the profile, as the AWS CLI does", async () => {
  const profile =
    "[profile ops]\nregion = eu-west-1\naws_access_key_id = local\naws_secret_access_key = local\n";
  const env = { AWS_PROFILE: "ops", AWS_CONFIG_FILE: folder.file("config", Buffer.from(profile)) };
  aws.stack = undefined;

  const { err } = await run("status --stage dev", env);

  expect(err).toBe("burgee: there is no stack burgee-dev in eu-west-1\n");
});

it("when AWS cannot be reached a command says so", async () => {
  aws.close();

  expect(await run("status --stage dev")).toMatchObject(
    fails("burgee: the call of AWS failed: Error: connect ECONN"),
  );
});

it("during an update nothing is deployed, rolled back or removed", async () => {
  aws.stack = "UPDATE_IN_PROGRESS";

  for (const command of ["deploy", "rollback", "remove"]) {
    expect(await run(`${command} --stage dev --yes`)).toMatchObject(
      fails(
        'burgee: the stack burgee-dev is UPDATE_IN_PROGRESS; "A failed deployment" in docs/RUNBOOK.md says',
      ),
    );
  }
});

describe("the check", () => {
  it("goes on without the permission for a look-up, and says that a new stage starts empty", async () => {
    Object.assign(aws, { stack: undefined, concurrency: undefined });

    const { err } = await run("package --stage dev --check", { ...credentials, AWS_REGION: "eu-west-1" });

    expect(err).toMatch(/ {3}\? {2}concurrency {2}not checked: .*AccessDenied.*: a reason\n/);
    expect(err).toContain(
      "  ok  table        burgee-dev is new in eu-west-1, and starts with an empty table",
    );
  });

  it.each([
    [
      "reservedConcurrency: { tags: 5, variants: 5 }",
      "concurrency  reservedConcurrency is 10, but this account has 10 that nothing else reserves, and must keep 100",
    ],
    ["table: burgee-dev-restored", "table        the table burgee-dev-restored in us-east-1 does not exist"],
    [
      "monitoring: true, alarmTopic: { kind: existing, arn: arn:aws:sns:us-east-1:1:alarms }",
      "alarms       the topic arn:aws:sns:us-east-1:1:alarms does not exist",
    ],
    [
      "alarmTopic: { kind: email, address: ops@example.com }",
      "settings     replace the placeholders of alarmTopic",
    ],
  ])("refuses %s", async (own, line) => {
    Object.assign(aws, { concurrency: 10, unreserved: 10 });

    const { err } = await run(`deploy --stage dev --settings ${write(own)}`);

    expect(err).toContain(`   x  ${line}`);
    expect(err).toContain("burgee: nothing was changed: see the lines with x");
  });

  it("says which settings the stage keeps, and which ones a file changes", async () => {
    aws.settings = { rateLimit: 7, burstLimit: 14 };

    const { err } = await run("deploy --stage dev");

    expect(err).toContain("  ok  settings     as deployed: rateLimit, burstLimit");
    expect(await checkOnly("rateLimit: 7")).toContain(
      "  ok  settings     this changes monitoring, alarmTopic",
    );
  });

  it("warns if a file has nothing for the stage, as where it misspells it", async () => {
    const file = folder.file("misspelt.yml", Buffer.from("dve: { rateLimit: 7 }"));

    const { err } = await run(`deploy --stage dev --settings ${file}`);

    expect(err).toContain('   !  settings     the file has no stage "dev", and changes nothing: it has dve');
  });

  it("counts what other functions reserve, and not what the stage itself reserves now", async () => {
    Object.assign(aws, { unreserved: 160, reserved: 40 });
    const check = (variants: number) => checkOnly(`reservedConcurrency: { tags: 50, variants: ${variants} }`);

    expect(await check(50)).toContain("  ok  concurrency");
    expect(await check(51)).toContain(
      "reservedConcurrency is 101, but this account has 200 that nothing else",
    );
  });

  it("says what the quota of a new account means", async () => {
    aws.concurrency = 10;

    expect(await checkOnly("keyCacheSeconds: '30'")).toContain(
      "   !  concurrency  this account runs 10 functions at once, and refuses more requests with 503, also some of 25",
    );
  });

  it.each([
    [[{ MaxReadRequestUnits: 100 }, ceilings], "maxWriteUnits"],
    [[ceilings, { MaxWriteRequestUnits: 100 }], "maxReadUnits"],
    [[ceilings, undefined], "maxReadUnits, maxWriteUnits"],
  ])(
    "names the settings that do not reach another table and its index with %j",
    async ([own, ofIndex], names) => {
      aws.table = {
        OnDemandThroughput: own,
        GlobalSecondaryIndexes: [{ IndexName: "lists", OnDemandThroughput: ofIndex }],
      };

      expect(await checkOnly("table: burgee-dev-restored")).toContain(
        `   !  table        burgee-dev-restored is not the stack's own, and these settings do not reach it: ${names}. "Restore" in docs/RUNBOOK.md`,
      );
    },
  );

  it("finds nothing to set in another table with both", async () => {
    aws.table = {
      OnDemandThroughput: ceilings,
      GlobalSecondaryIndexes: [{ IndexName: "lists", OnDemandThroughput: ceilings }],
    };

    expect(await checkOnly("table: burgee-dev-restored")).toContain(
      "  ok  table        burgee-dev-restored\n",
    );
  });
});

// Needs script(1) of util-linux, which macOS does not have.
it.skipIf(!hasTerminal())("a removal asks at a terminal, and changes nothing after a no", async () => {
  const line = `${process.execPath} ${program} remove --stage dev`;

  const { shown } = await runAtTerminal(line, () => "n\r", environment(credentials));

  expect(shown).toContain("Remove burgee-dev in us-east-1?");
  expect(shown).toMatch(/burgee: nothing was changed\r\n$/);
});

it("a deployment prints the check, a line for each thing, and reports a failure with the state of the stack", async () => {
  aws.stack = "UPDATE_ROLLBACK_COMPLETE";

  const { code, out, err } = await run("deploy --stage dev");

  expect(code).toBe(1);
  expect(err.split("\n").slice(0, 5)).toEqual([
    "  ok  credentials  arn:aws:iam::1:user/ops",
    "  ok  settings     those of infra/aws/settings.yml",
    "  ok  concurrency  this account has 1000 for all functions, and 0 are reserved here",
    "  ok  table        burgee-dev-Table-1",
    "  ok  alarms       none",
  ]);
  expect(out + err).toContain("only reading is permitted");
  expect(err).toContain(
    'burgee: deploy did not complete; the stack burgee-dev is UPDATE_ROLLBACK_COMPLETE; "A failed',
  );
});

const refusedToRemove = "burgee: the call of AWS failed: AccessDenied: only reading is permitted";

it("a deployment first removes a stack whose creation failed", async () => {
  aws.stack = "ROLLBACK_COMPLETE";

  expect(await run("deploy --stage dev")).toMatchObject(fails(refusedToRemove));
});

it("a deployment does not remove a stack under review, which may be another one's; a removal does", async () => {
  aws.stack = "REVIEW_IN_PROGRESS";

  const { code, err } = await run("deploy --stage dev --yes");

  expect(code).toBe(1);
  expect(err).toContain("burgee: burgee-dev is REVIEW_IN_PROGRESS: another first deployment has just begun");
  expect(err).toContain("nothing was changed; if it was interrupted: npm run remove -- --stage dev");
  expect(await run("remove --stage dev --yes")).toMatchObject(fails(refusedToRemove));
});

it("an interruption is reported with the state, as CloudFormation may continue", async () => {
  aws.isSilent = true;
  const [child, ended] = start("deploy --stage dev");
  await aws.silenced;
  aws.stack = "UPDATE_IN_PROGRESS";

  child.kill("SIGINT");

  expect(await ended).toMatchObject(
    fails("burgee: deploy did not complete; the stack burgee-dev is UPDATE_IN_PROGRESS"),
  );
});
