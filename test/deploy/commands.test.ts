/** What the deployment commands report when something is missing, refused or interrupted. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newFolder, runAtTerminal } from "../infra/clients/admin/command-line.ts";
import type { Run } from "../support/program.ts";
import { hasTerminal } from "../support/terminal.ts";
import { type FakeAws, startAws } from "./fake-aws.ts";

const program = path.resolve("dist/tools/deploy.mjs");
const folder = newFolder();
const noRegion = { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
const credentials = { ...noRegion, AWS_REGION: "us-east-1" };

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

it("during an update nothing is deployed or rolled back", async () => {
  aws.stack = "UPDATE_IN_PROGRESS";

  for (const command of ["deploy", "rollback"]) {
    expect(await run(`${command} --stage dev --yes`)).toMatchObject(
      fails(
        'burgee: the stack burgee-dev is UPDATE_IN_PROGRESS; "A failed deployment" in docs/RUNBOOK.md says',
      ),
    );
  }
});

// Needs script(1) of util-linux, which macOS does not have.
it.skipIf(!hasTerminal())("a removal asks at a terminal, and changes nothing after a no", async () => {
  const line = `${process.execPath} "${program}" remove --stage dev`;

  const { shown } = await runAtTerminal(line, () => "n\r", environment(credentials));

  expect(shown).toContain("Remove burgee-dev in us-east-1, with its logs? The table is kept");
  expect(shown).toMatch(/burgee: nothing was changed\r\n$/);
});
